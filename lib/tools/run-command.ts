import { z } from 'zod';
import type { Tool } from '@/lib/agent/ports';
import { toToolOutcome } from './command/command-outcome';
import type { CommandRunner } from './command/create-command-runner';
import { accept, defineTool, refuse } from './define-tool';
import { DEFAULT_COMMAND_SECONDS, MAX_COMMAND_SECONDS } from './limits';

/** Runs a shell command in the workspace; its exit code, whatever it is, is a result. */
export function runCommand(runner: CommandRunner, network: boolean): Tool {
  return defineTool({
    name: 'run_command',
    description:
      `Runs a bash command in the workspace's directory and returns its output and exit code. No input, ${network ? 'network allowed' : 'no network'}, ` +
      'no state kept between commands; background processes end with the command. Of long output the beginning and the end are kept.',
    effect: 'external',
    schema: z.strictObject({
      command: z.string().min(1).max(30_000),
      timeout_seconds: z.int().min(1).max(MAX_COMMAND_SECONDS).default(DEFAULT_COMMAND_SECONDS),
    }),
    prepare(args, workspace) {
      if (args.command.includes('\0')) return refuse('invalid_arguments', 'command: contains a NUL byte');
      if (workspace.access === 'read_only' && runner.sandbox !== 'bubblewrap') {
        return refuse('read_only_unsandboxed', 'the workspace is read-only, and without a sandbox nothing keeps a command from writing');
      }
      return accept({ command: args.command }, async (context) =>
        toToolOutcome(
          await runner.run({
            command: args.command,
            workspace: context.workspace,
            timeoutMs: args.timeout_seconds * 1_000,
            signal: context.signal,
            onOutput: context.onOutput,
            network,
          }),
        ),
      );
    },
  });
}
