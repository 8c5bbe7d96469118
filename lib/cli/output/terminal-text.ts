/**
 * Text of models and tools, made harmless for a terminal: it may hold escape
 * sequences that move the cursor, set the title or hide what follows, and direction
 * marks that show text in another order than it has.
 */

// ESC with its sequence: CSI … final byte; OSC, DCS, SOS, PM, APC … up to BEL or ST; else ESC and one character.
const ESCAPES = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C|$)|\u001B[ -/]*[0-~]?/g;
// Tab and line feed stay.
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Without escape sequences, control characters and direction marks. Lines and tabs stay. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}

/** The same on one line of at most `width` characters; what is cut is marked. */
export function oneLine(text: string, width: number): string {
  const line = harmless(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
