/** Cuts by UTF-8 bytes, the measure of every limit on stored text, never inside a character. */

export interface TruncatedText {
  readonly text: string;
  readonly truncated: boolean;
  /** UTF-8 bytes of the given text that are not in `text`. */
  readonly omittedBytes: number;
}

/** UTF-8 bytes of a text; a lone surrogate counts as the U+FFFD it becomes. */
export function byteLength(text: string): number {
  return bytesBefore(text, 0, text.length);
}

/** The longest head of the text that fits in `maxBytes` and cuts no character. */
export function truncateBytes(text: string, maxBytes: number): TruncatedText {
  if (text.length * 3 <= maxBytes) return { text, truncated: false, omittedBytes: 0 };
  const end = headEnd(text, Math.max(0, maxBytes));
  if (end === text.length) return { text, truncated: false, omittedBytes: 0 };
  return { text: text.slice(0, end), truncated: true, omittedBytes: bytesBefore(text, end, text.length) };
}

/**
 * Head and tail of a text with a notice of what is missing between them, for
 * output whose end matters as much as its start. The result, notice included,
 * fits in `maxBytes`; where the notice itself does not fit, only a head is kept.
 */
export function truncateMiddle(
  text: string,
  maxBytes: number,
  notice: (omittedBytes: number) => string = (omitted) => `\n… ${omitted} bytes omitted …\n`,
): TruncatedText {
  if (text.length * 3 <= maxBytes) return { text, truncated: false, omittedBytes: 0 };
  const total = byteLength(text);
  if (total <= maxBytes) return { text, truncated: false, omittedBytes: 0 };

  // The notice for the whole is the longest that can be needed.
  const room = maxBytes - byteLength(notice(total));
  if (room <= 0) return truncateBytes(text, maxBytes);
  const start = headEnd(text, Math.ceil(room / 2));
  const head = text.slice(0, start);
  const tail = text.slice(tailStart(text, room - byteLength(head), start));
  const omittedBytes = total - byteLength(head) - byteLength(tail);
  return { text: head + notice(omittedBytes) + tail, truncated: true, omittedBytes };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Is there a whole surrogate pair at this index? */
function isPair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
}

function unitBytes(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

function bytesBefore(text: string, from: number, to: number): number {
  let bytes = 0;
  for (let index = from; index < to; index += 1) {
    const code = text.charCodeAt(index);
    if (isHighSurrogate(code) && index + 1 < to && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 4;
      index += 1;
    } else bytes += unitBytes(code);
  }
  return bytes;
}

function headEnd(text: string, maxBytes: number): number {
  let left = maxBytes;
  let index = 0;
  while (index < text.length) {
    const pair = isPair(text, index);
    left -= pair ? 4 : unitBytes(text.charCodeAt(index));
    if (left < 0) break;
    index += pair ? 2 : 1;
  }
  return index;
}

function tailStart(text: string, maxBytes: number, floor: number): number {
  let left = maxBytes;
  let index = text.length;
  while (index > floor) {
    const pair = index - 2 >= floor && isPair(text, index - 2);
    left -= pair ? 4 : unitBytes(text.charCodeAt(index - 1));
    if (left < 0) break;
    index -= pair ? 2 : 1;
  }
  return index;
}
