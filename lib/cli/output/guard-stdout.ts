import { Console } from 'node:console';

/**
 * From now on stdout belongs to results alone: whatever a library prints there goes
 * to stderr. Make the outputs (text-output.ts) first; they keep the real one.
 */
export function guardStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
}
