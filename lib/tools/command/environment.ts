import { existsSync } from 'node:fs';
import path from 'node:path';

/** What every program is looked for in, in this order. Nothing is taken from the server's own PATH. */
const STANDARD_DIRECTORIES = [
  '/opt/homebrew/bin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

/**
 * The whole environment of a command: none of the server's variables.
 * @param home a directory the command may fill.
 */
export function commandEnvironment(home: string): Readonly<Record<string, string>> {
  const nodeDirectory = path.dirname(process.execPath);
  const directories = STANDARD_DIRECTORIES.includes(nodeDirectory) ? STANDARD_DIRECTORIES : [nodeDirectory, ...STANDARD_DIRECTORIES];
  return { PATH: directories.join(':'), HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', CI: '1' };
}

/** Absolute path of a program of the server's own, null where there is none. */
export function findProgram(name: string): string | null {
  const directories = [...(process.env['PATH'] ?? '').split(':').filter((directory) => path.isAbsolute(directory)), ...STANDARD_DIRECTORIES];
  return directories.map((directory) => path.join(directory, name)).find((candidate) => existsSync(candidate)) ?? null;
}

/** The shell that runs commands: bash where there is one. */
export function findShell(): { readonly path: string; readonly isBash: boolean } {
  for (const candidate of ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']) {
    if (existsSync(candidate)) return { path: candidate, isBash: true };
  }
  return { path: '/bin/sh', isBash: false };
}
