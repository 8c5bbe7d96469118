/**
 * Whether a text shows nothing to a reader: the empty text, and any mix of white
 * space (no-break spaces included), control and format characters (zero-width
 * spaces and joiners, byte order marks, direction marks), fillers that are drawn
 * blank, and what stands for unreadable input (lone surrogates, U+FFFD).
 * A model's answer that is blank is no result (domain.md §10).
 */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

// U+2800 is the empty braille pattern: a printing character by category, blank on every screen.
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]*$/u;
