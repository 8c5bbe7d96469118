import { z } from 'zod';
import type { RunId, SessionId, TaskId, TurnId } from '@/lib/domain/id';

/** Who drives a run: any worker, or the local process that submitted it and holds its lease from birth. */
export type Dispatch =
  | { readonly kind: 'worker' }
  | { readonly kind: 'local'; readonly owner: string; readonly leaseSeconds: number };

export const leaseOf = (dispatch: Dispatch): { readonly owner: string; readonly seconds: number } | null =>
  dispatch.kind === 'worker' ? null : { owner: dispatch.owner, seconds: dispatch.leaseSeconds };

/** The answer to a command that makes a run; a repetition gets the first one's. */
export interface SubmittedRun {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly taskId: TaskId;
  readonly generation: number;
  /** False when the command had been carried out before. */
  readonly created: boolean;
}

const id = <T extends string>() => z.custom<T>((value) => typeof value === 'string');

/** As it is kept with the command. */
export const submittedRunSchema = z.object({
  runId: id<RunId>(),
  sessionId: id<SessionId>(),
  turnId: id<TurnId>(),
  taskId: id<TaskId>(),
  generation: z.number().int().positive(),
});
