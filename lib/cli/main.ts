/** The command line. Everything that a process is to the verbs is put together here, and every failure is printed here. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { configurationOf } from '@/lib/config/environment';
import { findPackageRoot } from '@/lib/config/package-root';
import { EXIT } from './exit-code';
import { explainFailure } from './explain-failure';
import { invocation } from './invocation';
import { guardStdout } from './output/guard-stdout';
import { streamOutput } from './output/text-output';
import { buildProgram } from './program';
import { say, type Shell } from './shell';
import { listenToSignals } from './signals';

const err = streamOutput(process.stderr);
const shell: Shell = {
  out: streamOutput(process.stdout, (error) => say(shell, `pilothouse: stdout cannot be written: ${error.message}`)),
  err,
  env: process.env,
  here: process.cwd(),
  program: invocation(process.argv[1], process.env),
  signals: listenToSignals(process, (code) => process.exit(code)),
};
guardStdout();
// Started by a supervisor: when that is gone, nobody would stop this process any more.
if (process.connected) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

let exitCode: number = EXIT.broken;
const fail = (error: unknown): void => {
  const explained = explainFailure(error, shell.program);
  exitCode = explained.exitCode;
  if (explained.message !== null) say(shell, `pilothouse: ${explained.message}`);
  if (explained.hint !== undefined) say(shell, explained.hint);
};
// Nothing may end the process with a code that says something about a run.
process.on('uncaughtException', (error) => {
  fail(error);
  process.exit(EXIT.broken);
});

const Manifest = z.object({ version: z.string() });
const program = buildProgram({
  shell,
  configuration: configurationOf,
  version: Manifest.parse(JSON.parse(readFileSync(path.join(findPackageRoot(), 'package.json'), 'utf8'))).version,
  ended: (code) => {
    exitCode = code;
  },
});

try {
  await program.parseAsync(process.argv);
} catch (error) {
  fail(error);
}
await Promise.all([shell.out.flushed(), err.flushed()]);
process.exit(exitCode);
