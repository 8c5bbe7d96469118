import type { ToolWorkspace, VerificationPort } from '@/lib/agent/ports';
import type { CommandRunner } from './command/create-command-runner';
import { MAX_VERIFIER_OUTPUT } from './limits';

const DEFAULT_TIMEOUT_MS = 600_000;

export interface VerificationOptions {
  readonly runner: CommandRunner;
  readonly workspace: ToolWorkspace;
  readonly network?: boolean;
  readonly timeoutMs?: number;
}

/**
 * The submitter's check of a delivery, run like any command. Only a check that ended by
 * itself says anything: one that was stopped, timed out or could not start has not run.
 */
export function createVerificationPort(options: VerificationOptions): VerificationPort {
  return {
    async verify(command, signal) {
      if (command.trim() === '' || command.includes('\0')) return { ran: false, reason: 'the verification command is not a command' };
      const outcome = await options.runner.run({
        command,
        workspace: options.workspace,
        timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        signal,
        onOutput: () => undefined,
        network: options.network ?? false,
        maxOutputBytes: MAX_VERIFIER_OUTPUT,
      });
      if (outcome.kind === 'exited') {
        return { ran: true, exitCode: outcome.exitCode, stdout: outcome.stdout, stderr: outcome.stderr };
      }
      return { ran: false, reason: outcome.kind === 'failed' ? outcome.message : outcome.reason };
    },
  };
}
