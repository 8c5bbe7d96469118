import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { modelResponded, newId, proposedCall, requestModel, SETTINGS, submitTestRun, TestHolder } from '@/lib/testing/run-builder';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/template-database';
import { openStore, type Store } from './database';

let database: TestDatabase;
let store: Store;
/** A live run with an open and an ended call, and one that has ended. */
let live: TestHolder;
let ended: TestHolder;
const [openCall, endedCall] = [proposedCall('edit', 'workspace', true), proposedCall('read_file', 'none')];

beforeAll(async () => {
  database = await createTestDatabase();
  store = openStore(database.url);
  await submitTestRun(store, { settings: { ...SETTINGS, access: 'read_write' } });
  live = await TestHolder.claim(store);
  const requestId = newId('req');
  await live.apply(requestModel(requestId));
  await live.apply(modelResponded(requestId, '', [endedCall, openCall]), undefined, new Map([[openCall.callId, { bytes: new Uint8Array([1]), inputHash: 'h' }]]));
  await live.apply({ type: 'start_call', callId: endedCall.callId });
  await live.apply({ type: 'end_call', callId: endedCall.callId, outcome: { kind: 'completed', output: '', truncated: false } });
  await live.apply({ type: 'start_call', callId: openCall.callId });
  await submitTestRun(store);
  ended = await TestHolder.claim(store);
  await ended.apply({ type: 'end', reason: { kind: 'provider_failed' }, others: NO_OTHERS });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** `LIVE`, `ENDED` and so on stand for ids. */
const run = (statement: string): Promise<unknown> =>
  store.rows(
    z.unknown(),
    statement
      .replaceAll('LIVE', `'${live.run.runId}'`)
      .replaceAll('ENDED', `'${ended.run.runId}'`)
      .replaceAll('OPEN_CALL', `'${openCall.callId}'`)
      .replaceAll('DONE_CALL', `'${endedCall.callId}'`)
      .replaceAll('PROJECT', `'${live.run.projectId}'`)
      .replaceAll('SESSION', `'${live.run.sessionId}'`)
      .replaceAll('TASK', `'${live.run.taskId}'`),
  );

const copyOfLive = (given: { generation: number; parent: string; root: string }): string => `
  INSERT INTO run (id, project_id, session_id, turn_id, turn_number, task_id, generation, parent_run_id, root_run_id, origin, task_text,
                   created_by, settings, workspace_path, status, dispatch, last_seq, nonce)
  SELECT 'run_copy', project_id, session_id, turn_id, turn_number, task_id, ${given.generation}, ${given.parent}, ${given.root}, origin, task_text,
         created_by, settings, workspace_path, 'queued', dispatch, 0, 'n' FROM run WHERE id = LIVE`;
const USAGE = (state: string, values: string): string => `
  INSERT INTO usage_entry (request_id, project_id, session_id, turn_id, task_id, run_id, model, state,
                           input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost_micro_usd)
  SELECT 'req_x', project_id, session_id, turn_id, task_id, id, 'm', '${state}', ${values} FROM run WHERE id = LIVE`;

describe('the database refuses', () => {
  test.each([
    // I3
    ['another status of an ended run', "UPDATE run SET status = 'succeeded', terminal = '{\"succeeded\":{}}' WHERE id = ENDED"],
    ['another terminal of an ended run', 'UPDATE run SET terminal = \'{"failed":{}}\' WHERE id = ENDED'],
    ['another exit code of an ended run', 'UPDATE run SET exit_code = 0 WHERE id = ENDED'],
    ['another completion of an ended run', "UPDATE run SET completion = '{}' WHERE id = ENDED"],
    ['another end time of an ended run', "UPDATE run SET ended_at = ended_at + interval '1 s' WHERE id = ENDED"],
    // A run's row
    ['an unknown status', "UPDATE run SET status = 'done' WHERE id = LIVE"],
    ['an end without its terminal', "UPDATE run SET status = 'succeeded', lease_owner = NULL, lease_expires_at = NULL, holds_workspace = false WHERE id = LIVE"],
    ['a terminal of another name', `UPDATE run SET status = 'succeeded', terminal = '{"failed":{}}', exit_code = 0, ended_at = now(),
        lease_owner = NULL, lease_expires_at = NULL, holds_workspace = false WHERE id = LIVE`],
    ['an ended run that holds its directory', `UPDATE run SET status = 'succeeded', terminal = '{"succeeded":{}}', exit_code = 0, ended_at = now(),
        lease_owner = NULL, lease_expires_at = NULL WHERE id = LIVE`],
    ['an ended run that holds a lease', `UPDATE run SET status = 'succeeded', terminal = '{"succeeded":{}}', exit_code = 0, ended_at = now(),
        holds_workspace = false WHERE id = LIVE`],
    ['a completion of a live run', "UPDATE run SET completion = '{}' WHERE id = LIVE"],
    ['waiting for nothing', "UPDATE run SET status = 'waiting', lease_owner = NULL, lease_expires_at = NULL WHERE id = LIVE"],
    ['a reason to wait while running', "UPDATE run SET waiting_reason = 'tasks' WHERE id = LIVE"],
    ['work without a lease', 'UPDATE run SET lease_owner = NULL, lease_expires_at = NULL WHERE id = LIVE'],
    ['work under no epoch', 'UPDATE run SET lease_epoch = 0 WHERE id = LIVE'],
    ['a lease without an end', 'UPDATE run SET lease_expires_at = NULL WHERE id = LIVE'],
    ['a root that is not its own', 'UPDATE run SET root_run_id = ENDED WHERE id = LIVE'],
    ['a version below the first', 'UPDATE run SET version = 0 WHERE id = LIVE'],
    ['a second live root run of a session', copyOfLive({ generation: 2, parent: 'NULL', root: "'run_copy'" })],
    ['a generation that is there', copyOfLive({ generation: 1, parent: 'LIVE', root: 'LIVE' })],
    // Log, calls, requests, ledger
    ['another payload of an event', "UPDATE run_event SET payload = '{}' WHERE run_id = ENDED AND seq = 1"],
    ['an event that is no object', "INSERT INTO run_event (run_id, seq, project_id, type, payload) VALUES (LIVE, 99, PROJECT, 'x', '[]')"],
    ['an event before the first', "INSERT INTO run_event (run_id, seq, project_id, type, payload) VALUES (LIVE, 0, PROJECT, 'x', '{}')"],
    ['an event in a taken place', "INSERT INTO run_event (run_id, seq, project_id, type, payload) VALUES (LIVE, 1, PROJECT, 'x', '{}')"],
    ['another outcome of a call', "UPDATE tool_call SET status = 'failed' WHERE id = DONE_CALL"],
    ['an outcome without an end', "UPDATE tool_call SET status = 'completed' WHERE id = OPEN_CALL"],
    ['sealed arguments after the outcome', "UPDATE tool_call SET status = 'completed', ended_at = now() WHERE id = OPEN_CALL"],
    ['an outcome without an intent', "UPDATE tool_call SET started_at = NULL, started_epoch = NULL WHERE id = OPEN_CALL"],
    ['an unknown effect', "UPDATE tool_call SET effect = 'some' WHERE id = OPEN_CALL"],
    ['a failed request without a class', "UPDATE model_request SET status = 'failed' WHERE run_id = LIVE"],
    ['an open request with an end', "UPDATE model_request SET status = 'open' WHERE run_id = LIVE"],
    ['unknown usage as a number', USAGE('unknown', '0, 0, 0, 0, NULL')],
    ['known usage without numbers', USAGE('known', 'NULL, NULL, NULL, NULL, NULL')],
    ['usage known in part', USAGE('known', '1, 1, NULL, 0, NULL')],
    ['more cached than input', USAGE('known', '1, 1, 2, 0, NULL')],
    ['usage below nothing', USAGE('known', '1, -1, 0, 0, NULL')],
    ['a cost of unknown usage', USAGE('unknown', 'NULL, NULL, NULL, NULL, 5')],
    ['usage that changes', 'UPDATE usage_entry SET input_tokens = 1 WHERE run_id = LIVE'],
    ['usage that disappears', 'DELETE FROM usage_entry WHERE run_id = LIVE'],
    // What belongs to whom
    ['a run of a session of another project', 'UPDATE run SET project_id = \'prj_other\' WHERE id = LIVE'],
    ['a second root task of a session', "INSERT INTO task (id, project_id, session_id) VALUES ('tsk_x', PROJECT, SESSION)"],
    ['a task that is its own parent', 'UPDATE task SET parent_task_id = id WHERE id = TASK'],
    ['fewer writes than none', 'UPDATE task SET write_count = -1 WHERE id = TASK'],
    ['a relative directory', "INSERT INTO workspace (id, project_id, kind, location) VALUES ('wsp_x', PROJECT, 'directory', 'here')"],
    ['one directory as two workspaces', "INSERT INTO workspace (id, project_id, kind, location) SELECT 'wsp_x', project_id, kind, location FROM workspace LIMIT 1"],
    ['a kept history that is deleted', 'UPDATE session SET history_deleted_at = now() WHERE id = SESSION'],
    ['a role that no check knows', "INSERT INTO member (project_id, user_id, role) VALUES (PROJECT, 'usr_x', 'emperor')"],
    ['a token in clear', "INSERT INTO api_token (id, project_id, user_id, name, role, hash) VALUES ('tok_x', PROJECT, 'usr_x', 'n', 'viewer', 'secret')"],
  ])('%s', async (_what, statement) => {
    await expect(run(statement)).rejects.toMatchObject({ name: 'StoreError', code: 'data' });
  });

  test('a second writer in a directory', async () => {
    const other = await submitTestRun(store, { settings: { ...SETTINGS, access: 'read_write' } });
    await expect(store.rows(z.unknown(), 'UPDATE run SET holds_workspace = true WHERE id = $1', other.runId)).rejects.toMatchObject({
      code: 'data',
      constraint: 'run_one_holder_key',
    });
  });
});

describe('the database allows', () => {
  test('a child of a live root, so that what refuses a copy is what its name says', async () => {
    await run(copyOfLive({ generation: 2, parent: 'LIVE', root: 'LIVE' }));
  });

  test('unknown usage to become known, once', async () => {
    await run(USAGE('unknown', 'NULL, NULL, NULL, NULL, NULL'));
    const known = "UPDATE usage_entry SET state = 'known', input_tokens = 5, output_tokens = 1, cached_tokens = 0, reasoning_tokens = 0 WHERE request_id = 'req_x'";
    await run(known);
    await expect(run(known)).rejects.toMatchObject({ code: 'data' });
  });

  test('later facts beside an ended run', async () => {
    await run('UPDATE run SET version = version + 1, last_seq = last_seq + 1 WHERE id = ENDED');
  });
});
