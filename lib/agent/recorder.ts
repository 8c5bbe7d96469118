/** How the loop reads and writes its run. The holder of the lease keeps the state in memory and decides without reading. */
import type { CallId } from '@/lib/domain/id';
import type { ChatMessage } from '@/lib/domain/message';
import type { Rejection } from '@/lib/domain/run/decide';
import type { RunInput } from '@/lib/domain/run/input';
import type { RunState } from '@/lib/domain/run/state';

export type Recorded = { readonly ok: true } | { readonly ok: false; readonly rejection: Rejection };

/** A call's original arguments, sealed, and a keyed hash of them. */
export interface SealedInput {
  readonly bytes: Uint8Array;
  readonly inputHash: string;
}

export interface RunRecorder {
  /** As committed. */
  readonly state: RunState;
  /** The task's conversation as committed; only ever appended to. */
  readonly messages: readonly ChatMessage[];
  /**
   * Decides the inputs one after another and commits what happened as one
   * transition; a rejection commits nothing. When somebody else's command came
   * first, reloads and decides again.
   * @throws LeaseLost when the run is no longer ours: stop, begin no effect.
   * @throws RecordRefused when the database refuses the data itself.
   */
  record(inputs: readonly RunInput[], sealed?: ReadonlyMap<CallId, SealedInput>): Promise<Recorded>;
}

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
  constructor(readonly code: string) {
    super(`the database refused the record (${code})`);
  }
}
