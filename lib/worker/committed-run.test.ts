/** The holder decides without reading; overtaken, it reloads and decides again, or stops. */
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '@/lib/domain/run/event';
import type { InputOf, RunInput } from '@/lib/domain/run/input';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import type { Transition, TransitionResult } from '@/lib/store/transition';
import { call, play, request, respond, running, type Played } from '@/lib/testing/play-run';
import { CommittedRun } from './committed-run';

const AT = new Date('2030-01-01T00:00:00.000Z');
const cancel: InputOf<'cancel'> = { type: 'cancel', commandId: 'cmd_1', by: 'local', others: NO_OTHERS };

/** A row that this run and others write, with the fences of the real one. */
function row(from: Played) {
  let log = from;
  let version = 7;
  let epoch = from.state.leaseEpoch;
  const attempts: Transition[] = [];
  const seen: RunEvent[][] = [];
  let pending: Promise<unknown> = Promise.resolve();
  const run = new CommittedRun({
    state: from.state,
    version,
    messages: from.messages,
    async commit(transition): Promise<TransitionResult> {
      await pending;
      attempts.push(transition);
      if (transition.version !== version || transition.leaseEpoch !== epoch) return { kind: 'overtaken' };
      version += 1;
      const events = transition.events.map((body, index) => ({ ...body, seq: log.state.seq + index + 1, timestamp: AT.toISOString() }));
      log = { ...log, state: transition.after, events: [...log.events, ...events] };
      return { kind: 'committed', at: AT };
    },
    reload: async (afterSeq) => ({ leaseEpoch: epoch, version, events: log.events.filter(({ seq }) => seq > afterSeq) }),
    newNonce: () => `nonce-${attempts.length}`,
    onEvents: (events) => void seen.push([...events]),
  });
  return {
    run,
    attempts,
    seen,
    /** Somebody else's command. */
    others: (input: RunInput) => {
      log = play(log, input);
      version += 1;
    },
    steal: () => {
      epoch += 1;
      version += 1;
    },
    hold: (until: Promise<unknown>) => {
      pending = until;
    },
  };
}

describe('a record', () => {
  test('is committed on the version in memory, and read back from nowhere', async () => {
    const { run, attempts } = row(running());
    await expect(run.record([request('1')])).resolves.toEqual({ ok: true });
    await run.record([respond('1', { calls: [call('a')] })]);
    expect(attempts.map(({ version }) => version)).toEqual([7, 8]);
    expect(run.version).toBe(9);
    expect(run.state.calls).toHaveLength(1);
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test('of several inputs is one commit, and a rejection in the middle commits nothing', async () => {
    const { run, attempts } = row(running());
    const rejected = await run.record([request('1'), respond('1', { text: 'Done.' }), respond('1', { text: 'Again.' })]);
    expect(rejected).toMatchObject({ ok: false, rejection: { code: 'not_open' } });
    expect(attempts).toEqual([]);
    await run.record([request('1'), respond('1', { text: 'Done.' })]);
    expect(attempts).toHaveLength(1);
  });

  test('whose events are none is no commit', async () => {
    const { run, attempts, others } = row(running());
    others(cancel);
    await run.refresh();
    await expect(run.record([{ ...cancel, commandId: 'cmd_2' }])).resolves.toEqual({ ok: true });
    expect(attempts).toEqual([]);
  });

  test('that was overtaken by a cancel is decided again, and a new beginning is then refused', async () => {
    const { run, attempts, others } = row(running());
    others(cancel);
    await expect(run.record([request('1')])).resolves.toMatchObject({ ok: false, rejection: { code: 'illegal', status: 'cancelling' } });
    expect(attempts).toHaveLength(1);
    expect(run.state.status).toBe('cancelling');
  });

  test('that was overtaken and still stands is committed on the new version', async () => {
    const { run, attempts, others, seen } = row(running());
    await run.record([request('1')]);
    others(cancel);
    await expect(run.record([respond('1', { text: 'Done.' })])).resolves.toEqual({ ok: true });
    expect(attempts.map(({ version }) => version)).toEqual([7, 8, 9]);
    expect(new Set(attempts.map(({ nonce }) => nonce)).size).toBe(3);
    const seqs = seen.flat().map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
  });

  test('under a lease that was stolen is not made: the run stops', async () => {
    const { run, steal, seen } = row(running());
    steal();
    await expect(run.record([request('1')])).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(seen).toEqual([]);
  });

  test('of a run that others have ended stops, though the lease epoch is the same', async () => {
    const { run, others, attempts } = row(running());
    others({ type: 'expire_lease', others: NO_OTHERS });
    await expect(run.record([request('1')])).rejects.toMatchObject({ name: 'LeaseLost' });
    await expect(run.record([request('1')])).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(attempts).toHaveLength(1);
  });
});

test('watchers are told of events only after their commit', async () => {
  const { run, seen, hold } = row(running());
  let commit = (): void => undefined;
  hold(new Promise<void>((resolve) => (commit = resolve)));
  const recording = run.record([request('1')]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
  expect(run.state.openRequest).toBeNull();
  commit();
  await recording;
  expect(seen.flat().map(({ type }) => type)).toEqual(['model.requested']);
});

test('a refresh waits for the record that is under way, and takes in each event once', async () => {
  const { run, seen, others, hold } = row(running());
  let commit = (): void => undefined;
  hold(new Promise<void>((resolve) => (commit = resolve)));
  const recording = run.record([request('1')]);
  const refreshing = run.refresh();
  commit();
  await recording;
  others(cancel);
  await refreshing;
  await run.refresh();
  const types = seen.flat().map(({ type }) => type);
  expect(types).toEqual(['model.requested', 'command.accepted', 'run.cancelling']);
});
