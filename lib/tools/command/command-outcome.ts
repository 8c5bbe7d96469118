import type { ToolOutcome } from '@/lib/agent/ports';
import type { CollectedOutput } from './output-collector';

export type CommandFailureCode =
  | 'aborted' // ended by us, because the caller asked
  | 'timed_out' // ended by us, because its time was over
  | 'lease_expired' // ended by the watcher, or not started: this worker may not act any more
  | 'read_only_unsandboxed' // nothing here keeps a command from writing
  | 'sandbox_failed' // the command itself never ran
  | 'not_started';

/**
 * What is known of a command's end.
 * - `exited`: by itself, with any code; killed by a signal that was not ours: 128 + its number.
 * - `failed`: it never ran, or we ended it. What it had done until then stays done.
 * - `unknown`: we tried to end it and could not see that it, or all that it started, is gone.
 */
export type CommandOutcome =
  | ({ readonly kind: 'exited'; readonly exitCode: number } & CollectedOutput)
  | ({ readonly kind: 'failed'; readonly code: CommandFailureCode; readonly message: string } & CollectedOutput)
  | ({ readonly kind: 'unknown'; readonly reason: string } & CollectedOutput);

export function toToolOutcome(outcome: CommandOutcome): ToolOutcome {
  const { output } = outcome;
  switch (outcome.kind) {
    case 'exited':
      return { kind: 'completed', output, truncated: outcome.truncated, exitCode: outcome.exitCode };
    case 'failed':
      return { kind: 'failed', code: outcome.code, message: outcome.message, output };
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason, output };
  }
}
