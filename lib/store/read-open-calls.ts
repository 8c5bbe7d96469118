import { z } from 'zod';
import type { CallId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import { CALL_STATUSES, type CallStatus } from '@/lib/domain/tool-call';
import { bytes, id } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

export interface StoredOpenCall {
  readonly callId: CallId;
  readonly name: string;
  readonly status: CallStatus;
  /** Redacted. */
  readonly arguments: JsonValue;
  /** Null where the call was proposed without. */
  readonly sealed: Uint8Array | null;
  readonly inputHash: string | null;
}

/** In no particular order: that of their proposal is the run state's. */
const READ = `
SELECT id, name, status, arguments, sealed_arguments, input_hash FROM tool_call
 WHERE run_id = $2 AND project_id = $1 AND status IN ('proposed', 'waiting_for_approval', 'ready', 'running')`;

const callRow = z
  .object({
    id: id<CallId>(),
    name: z.string(),
    status: z.enum(CALL_STATUSES),
    arguments: z.custom<JsonValue>(),
    sealed_arguments: bytes.nullable(),
    input_hash: z.string().nullable(),
  })
  .transform(
    (row): StoredOpenCall => ({
      callId: row.id,
      name: row.name,
      status: row.status,
      arguments: row.arguments,
      sealed: row.sealed_arguments,
      inputHash: row.input_hash,
    }),
  );

/** Calls of a run that have no outcome yet. */
export function readOpenCalls(sql: Sql, { projectId, runId }: RunRef): Promise<readonly StoredOpenCall[]> {
  return sql.rows(callRow, READ, projectId, runId);
}
