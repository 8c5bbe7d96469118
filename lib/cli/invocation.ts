import path from 'node:path';

/**
 * How a person calls Pilothouse here, so that a shown command works when it is copied.
 * Pure.
 *
 * @param script the path that node was started with.
 */
export function invocation(script: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  if (env['npm_command'] === 'exec') return 'npx pilothouse';
  const name = path.basename(script ?? 'pilothouse');
  return script === undefined || name === 'pilothouse' ? 'pilothouse' : quoted(script);
}

/** As one word of a shell. */
export const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
