import { execFile } from 'node:child_process';
import type { SandboxMode } from '@/lib/agent/ports';
import { bubblewrapArguments } from './bubblewrap';
import { commandEnvironment, findProgram } from './environment';

const PROBE_MS = 10_000;

let probed: Promise<boolean> | null = null;

/**
 * How commands run on this machine. bubblewrap where it works: `unsandboxed` says that
 * somebody answers for commands without one, not that none is wanted.
 */
export async function detectSandbox(options: { readonly unsandboxed: boolean }): Promise<SandboxMode> {
  probed ??= probeBubblewrap();
  if (await probed) return 'bubblewrap';
  return options.unsandboxed ? 'unsandboxed' : 'none';
}

/**
 * Runs it once, since a binary that is there may still not be permitted its namespaces
 * (containers, hardened kernels). With the mounts of a real command, so that what works
 * here works there.
 */
function probeBubblewrap(): Promise<boolean> {
  const program = process.platform === 'linux' ? findProgram('bwrap') : null;
  if (program === null) return Promise.resolve(false);
  const args = bubblewrapArguments({
    workspace: { root: '/usr', access: 'read_only' },
    cwd: '/',
    network: false,
    environment: commandEnvironment('/tmp'),
    hidden: [],
    statusDescriptor: 1,
  });
  return new Promise((resolve) => {
    execFile(program, [...args, '/bin/sh', '-c', 'exit 0'], { timeout: PROBE_MS, killSignal: 'SIGKILL', env: NO_ENVIRONMENT }, (error) =>
      resolve(error === null),
    );
  });
}

// Next's types demand NODE_ENV of every environment; this one is empty on purpose.
const NO_ENVIRONMENT = {} as NodeJS.ProcessEnv;
