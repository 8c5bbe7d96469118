/**
 * `pilothouse start`, which is what `npm start` does: database, migrations, build, web
 * server and workers on this machine, until it is told to stop; then all of it stops.
 */
import path from 'node:path';
import { prepareFirstStart } from '@/lib/auth/first-start';
import type { Configuration } from '@/lib/config/environment';
import type { System } from '@/lib/system';
import { CliError } from '../cli-error';
import { EXIT } from '../exit-code';
import { say, type Shell } from '../shell';
import { buildWeb } from '../start/build-web';
import { probePort } from '../start/port';
import { supervise, type Supervised } from '../start/supervised';
import { waitUntilReady } from '../start/wait-until-ready';
import { withSystem } from '../with-system';

/** Everything must be gone 10 s after the signal (contract.md §1); the database needs the rest. */
const GRACE_MS = 7_000;
const READY_MS = 60_000;

export async function start(shell: Shell, configuration: Configuration): Promise<number> {
  await refuseTakenPort(configuration);
  return withSystem({ configuration }, async (system) => {
    const stopping = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      stopping.signal.addEventListener('abort', () => resolve());
    });
    shell.signals.onFirst((signal) => {
      say(shell, `pilothouse: ${signal}, stopping; once more stops at once`);
      stopping.abort();
    });
    await build(shell, configuration);
    const children = stopping.signal.aborted ? [] : startChildren(shell, configuration);
    try {
      await announce(shell, system, stopping.signal);
      await stopped;
    } finally {
      await Promise.all(children.map((child) => child.stop(GRACE_MS)));
    }
    say(shell, 'pilothouse: stopped');
    return EXIT.ok;
  });
}

async function refuseTakenPort({ web: { host, port } }: Configuration): Promise<void> {
  const state = await probePort(host, port);
  if (state === 'free') return;
  const why = {
    taken: `Port ${port} on ${host} is taken by another program.`,
    forbidden: `This user may not listen on port ${port}.`,
    no_such_host: `There is no address ${host} on this machine.`,
  }[state];
  throw new CliError(why, EXIT.refused, `Choose another with PORT and HOST, for example: PORT=${port + 1} npm start`);
}

async function build(shell: Shell, configuration: Configuration): Promise<void> {
  const started = performance.now();
  const result = await buildWeb(configuration.packageRoot, (line) => say(shell, `pilothouse: ${line}`));
  if (!result.ok) throw new CliError(`The web pages could not be built:\n${result.output.trim()}`);
  if (result.built) say(shell, `pilothouse: built in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
}

function startChildren(shell: Shell, configuration: Configuration): readonly Supervised[] {
  const { packageRoot, web, workers } = configuration;
  const env: Readonly<Record<string, string | undefined>> = { ...shell.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const events = {
    onExit: (name: string, how: string, againInMs: number) =>
      say(shell, `pilothouse: the ${name} ended (${how}); starting it again in ${(againInMs / 1_000).toFixed(1)} s`),
  };
  const next = path.join(packageRoot, 'node_modules/next/dist/bin/next');
  const program = path.join(packageRoot, 'lib/cli/pilothouse.mjs');
  return [
    supervise(
      {
        name: 'web server',
        args: [next, 'start', '-p', String(web.port), '-H', web.host],
        cwd: packageRoot,
        env: { ...env, NEXT_MANUAL_SIG_HANDLE: '1' },
      },
      events,
    ),
    ...Array.from({ length: workers.processes }, (_, index) =>
      supervise({ name: `worker ${index + 1}`, args: [program, 'worker'], cwd: packageRoot, env }, events),
    ),
  ];
}

/** What a browser on this machine opens: an address that means "all" is not one. */
function urlOf({ web: { host, port } }: Configuration): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

async function announce(shell: Shell, system: System, signal: AbortSignal): Promise<void> {
  const url = urlOf(system.configuration);
  const ready = await waitUntilReady(url, READY_MS, signal);
  if (signal.aborted) return;
  if (!ready) throw new CliError(`The web server did not become ready at ${url} within ${READY_MS / 1_000} s.`);
  shell.out.write(`pilothouse: ready at ${url}\n`);
  say(shell, `pilothouse: ${system.modelDescription}; commands run ${system.sandbox === 'bubblewrap' ? 'in a sandbox' : 'only with an approval (no sandbox here)'}`);
  const first = await prepareFirstStart(system);
  if (first !== null) shell.out.write(`pilothouse: sign in for the first time (the link works once): ${url}${first.signInPath}\n`);
}
