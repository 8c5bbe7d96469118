/** Cursors of pages: opaque to whoever gets one, and worth something only as a page gave it. */

export const writeCursor = (...parts: readonly (string | number)[]): string => Buffer.from(parts.join(' ')).toString('base64url');

/** The parts of a cursor, each of the shape that is expected; null for what no page gave. */
export function readCursor(cursor: string, ...shapes: readonly RegExp[]): readonly string[] | null {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(cursor)) return null;
  const parts = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  return parts.length === shapes.length && parts.every((part, index) => shapes[index]?.test(part)) ? parts : null;
}

export const CURSOR_TIME = /^\d{1,15}$/;
export const CURSOR_ID = /^[a-z]{3,4}_[0-9A-HJKMNP-TV-Z]{26}$/;
