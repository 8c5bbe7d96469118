/** The running stack, as the tests know it: written by `start-stack.ts`, read in every worker of the runner. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

export const PASSWORD = 'a password of the tests';
export const EMAIL = 'ada@example.org';

/** Who is signed in, for the tests that need not do it again. */
export const STORAGE_STATE = path.join(tmpdir(), `pilothouse-browser-${process.env['PILOTHOUSE_TEST_ID'] ?? process.ppid}.json`);

const Stack = z.object({
  url: z.string(),
  databaseUrl: z.string(),
  dataDirectory: z.string(),
  signInLink: z.string(),
  adminToken: z.string(),
  /** Of the supervisor. */
  pid: z.number(),
});
export type Stack = z.infer<typeof Stack>;

const VARIABLE = 'PILOTHOUSE_TEST_STACK';

export const tellStack = (stack: Stack): void => {
  process.env[VARIABLE] = JSON.stringify(stack);
};

export function stack(): Stack {
  return Stack.parse(JSON.parse(process.env[VARIABLE] ?? 'null'));
}
