/**
 * Names and commands as they are, not as they pretend to be: characters that reorder or
 * hide text (`invoice\u202Efdp.exe`) are shown by their code point. Pure; for file names,
 * commands, ids. Prose keeps them: joiners are part of many scripts and of emoji.
 */
export interface RevealedPiece {
  readonly text: string;
  /** It stands for a character that would not be seen. */
  readonly hidden: boolean;
}

// Control characters but tab and newline, format characters (direction, zero width), line and paragraph separators, fillers.
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u3164\uFFA0\u2800]/u;
const PIECES = /[\t\n]|[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u3164\uFFA0\u2800]|[^\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u3164\uFFA0\u2800]+/gu;

export function reveal(text: string): readonly RevealedPiece[] {
  if (!HIDDEN.test(text)) return text === '' ? [] : [{ text, hidden: false }];
  return (text.match(PIECES) ?? []).map((piece) =>
    HIDDEN.test(piece) && piece !== '\n' && piece !== '\t' ? { text: codePoint(piece), hidden: true } : { text: piece, hidden: false },
  );
}

/** The same as plain text: `invoice[U+202E]fdp.exe`. For titles and labels. */
export const revealed = (text: string): string =>
  reveal(text)
    .map((piece) => (piece.hidden ? `[${piece.text}]` : piece.text))
    .join('');

const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
