/**
 * A process that runs one command as a worker would, for tests that kill or stop it.
 * argv: sandbox mode, workspace, watcher program, lease in ms (0: none), command.
 */
import type { SandboxMode } from '@/lib/agent/ports';
import { createCommandRunner } from '../command/create-command-runner';

const [mode = 'none', root = '', program = '', lease = '0', command = ''] = process.argv.slice(2);
const leaseMs = Number(lease);
const runner = createCommandRunner({ sandbox: mode as SandboxMode, watcher: { program, leaseMs: leaseMs === 0 ? null : leaseMs } });
if (leaseMs > 0) setInterval(() => runner.beat(leaseMs), leaseMs / 3);
const outcome = await runner.run({
  command,
  workspace: { root, access: 'read_write' },
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  onOutput: (_stream, text) => process.stdout.write(text),
  network: false,
});
process.stdout.write(`outcome ${JSON.stringify(outcome)}\n`);
await runner.close();
process.exit(0);
