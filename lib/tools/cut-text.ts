/** Cutting text by UTF-8 bytes without ever splitting a character. */

/** The longest prefix of `text` that takes at most `maxBytes`. */
export function cutToBytes(text: string, maxBytes: number): { readonly text: string; readonly omittedBytes: number } {
  const total = Buffer.byteLength(text);
  if (total <= maxBytes) return { text, omittedBytes: 0 };
  const bytes = Buffer.from(text);
  const end = characterStart(bytes, maxBytes);
  return { text: bytes.toString('utf8', 0, end), omittedBytes: total - end };
}

/** The largest index ≤ `index` at which a character starts. `bytes` is valid UTF-8. */
export function characterStart(bytes: Uint8Array, index: number): number {
  let start = index;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return start;
}

/** The smallest index ≥ `index` at which a character starts. `bytes` is valid UTF-8. */
export function nextCharacterStart(bytes: Uint8Array, index: number): number {
  let start = index;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
