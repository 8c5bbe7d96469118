/**
 * Text as it is, not as it pretends to be: characters that reorder or hide other text
 * (`invoice\u202Efdp.exe`) are shown by their code point. Pure.
 */
export interface RevealedPiece {
  readonly text: string;
  /** It stands for a character that would not be seen. */
  readonly hidden: boolean;
}

/**
 * - `name`: file names, commands, ids: everything that is not seen.
 * - `prose`: what people, models and programs write, code and diffs among it: what
 *   reorders. Joiners stay, which are part of many scripts and of emoji.
 */
export type RevealKind = 'name' | 'prose';

const CHARACTERS: Readonly<Record<RevealKind, string>> = {
  name: '\\p{Cc}\\p{Cf}\\u2028\\u2029\\u115F\\u1160\\u3164\\uFFA0\\u2800',
  prose: '\\u202A-\\u202E\\u2066-\\u2069',
};

const HIDDEN: Readonly<Record<RevealKind, RegExp>> = {
  name: new RegExp(`[${CHARACTERS.name}]`, 'u'),
  prose: new RegExp(`[${CHARACTERS.prose}]`, 'u'),
};
const PIECES: Readonly<Record<RevealKind, RegExp>> = {
  name: new RegExp(`[\\t\\n]|[${CHARACTERS.name}]|[^${CHARACTERS.name}]+`, 'gu'),
  prose: new RegExp(`[${CHARACTERS.prose}]|[^${CHARACTERS.prose}]+`, 'gu'),
};

export function reveal(text: string, kind: RevealKind = 'name'): readonly RevealedPiece[] {
  if (!HIDDEN[kind].test(text)) return text === '' ? [] : [{ text, hidden: false }];
  return (text.match(PIECES[kind]) ?? []).map((piece) =>
    HIDDEN[kind].test(piece) && piece !== '\n' && piece !== '\t' ? { text: codePoint(piece), hidden: true } : { text: piece, hidden: false },
  );
}

/** The same as plain text: `invoice[U+202E]fdp.exe`. For titles and labels. */
export const revealed = (text: string, kind: RevealKind = 'name'): string =>
  reveal(text, kind)
    .map((piece) => (piece.hidden ? `[${piece.text}]` : piece.text))
    .join('');

const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
