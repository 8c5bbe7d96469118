/** A set of characters, answered by one table look-up; characters beyond ASCII are all in or all out. */
export interface CharClass {
  /** Small and unique: the index of the class's memo in a Source. */
  readonly id: number;
  readonly ascii: Uint8Array;
  readonly wide: boolean;
}

let classes = 0;

function charClass(pattern: RegExp, wide = false): CharClass {
  const ascii = new Uint8Array(128);
  for (let code = 0; code < 128; code += 1) ascii[code] = pattern.test(String.fromCharCode(code)) ? 1 : 0;
  classes += 1;
  return { id: classes - 1, ascii, wide };
}

export function inClass(set: CharClass, code: number): boolean {
  return code < 128 ? set.ascii[code] === 1 : set.wide;
}

export const DIGIT = charClass(/[0-9]/);
export const HEX = charClass(/[0-9a-f]/);
export const UPPER_ALNUM = charClass(/[A-Z0-9]/);
export const ALNUM = charClass(/[A-Za-z0-9]/);
export const WORD = charClass(/[A-Za-z0-9_]/);
export const DASHED = charClass(/[A-Za-z0-9-]/);
export const BASE64URL = charClass(/[A-Za-z0-9_-]/);
export const DOTTED = charClass(/[A-Za-z0-9_.-]/);
export const BASE64 = charClass(/[A-Za-z0-9+/=]/);
/** Both base64 alphabets and the padding: what tokens with a payload are made of. */
export const ANY_BASE64 = charClass(/[A-Za-z0-9+/=_-]/);
/** RFC 6750 and what servers accept beside it. */
export const BEARER = charClass(/[A-Za-z0-9._~+/=%|:-]/);
export const BLANK = charClass(/[ \t]/);
export const SPACE = charClass(/\s/);
/** Everything of a URL's authority and what follows it, up to what ends a URL in text. */
export const URL_CHARS = charClass(/[^\s"'`<>\\\x00-\x1f]/, true);
/** A value on its own, without quotes, in code or prose. */
export const BARE = charClass(/[^\s"'`,;&<>(){}[\]|\\\x00-\x1f]/, true);
/** A value in an environment file: all up to white space or a quote. */
export const ENV_VALUE = charClass(/[^\s"'`\\\x00-\x1f]/, true);
/** The value of a header, up to the end of its line or of the string that the header is in. */
export const HEADER_VALUE = charClass(/[^"'`\\\r\n]/, true);
export const NOT_NEWLINE = charClass(/[^\r\n]/, true);
export const XML_TEXT = charClass(/[^<>\r\n]/, true);
/** What the body of a PEM block may hold, escapes and concatenated string pieces included. */
export const PEM_BODY = charClass(/[A-Za-z0-9+/=\s\\:,-]/);

/** How many classes there are; a Source sizes its memos by it. */
export function classCount(): number {
  return classes;
}
