import { spawn } from 'node:child_process';

/**
 * @typedef {{ name: string, ok: boolean, seconds: number }} StepResult
 */

/**
 * Runs one step as a process, says how it went and how long it took. A quiet step
 * shows what it printed only when it failed, so that two can run side by side.
 *
 * @param {string} name
 * @param {string[]} command words; the first is run by Node
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} options
 * @returns {Promise<StepResult>}
 */
export async function runStep(name, command, { cwd, env = process.env, quiet = false }) {
  const started = performance.now();
  if (!quiet) console.log(`\n── ${name}`);
  const child = spawn(process.execPath, command, { cwd, env, stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ok = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  const seconds = (performance.now() - started) / 1000;
  if (!ok && output !== '') console.log(output.trimEnd());
  console.log(`── ${name}: ${ok ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`);
  return { name, ok, seconds };
}
