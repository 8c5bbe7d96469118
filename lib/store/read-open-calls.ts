import type { CallId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { CallStatus } from '@/lib/domain/tool-call';
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

/** Calls of a run that have no outcome yet, in the order of their proposal. */
export function readOpenCalls(_sql: Sql, _ref: RunRef): Promise<readonly StoredOpenCall[]> {
  throw new Error('not built yet');
}
