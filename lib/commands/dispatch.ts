/** Who drives a run: any worker, or the local process that submitted it and holds its lease from birth. */
export type Dispatch =
  | { readonly kind: 'worker' }
  | { readonly kind: 'local'; readonly owner: string; readonly leaseSeconds: number };

/** The answer to a command that makes a run; a repetition gets the first one's. */
export interface SubmittedRun {
  readonly runId: import('@/lib/domain/id').RunId;
  readonly sessionId: import('@/lib/domain/id').SessionId;
  readonly turnId: import('@/lib/domain/id').TurnId;
  readonly taskId: import('@/lib/domain/id').TaskId;
  readonly generation: number;
  /** False when the command had been carried out before. */
  readonly created: boolean;
}
