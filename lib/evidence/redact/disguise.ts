/** A text as a reader would see it, and where each of its characters came from. */
export interface Unmasked {
  readonly text: string;
  /** Start in the original of each character; one more entry for the end. */
  readonly starts: Int32Array;
  /** End in the original of each character. */
  readonly ends: Int32Array;
}

/** Codes that can begin a disguise; a text without them is not read twice. */
export function mayDisguise(code: number): boolean {
  return (
    code === 0x1b || code === 0x25 || code === 0x5c || code === 0xad || code === 0xfeff ||
    (code >= 0x200b && code <= 0x200f) || (code >= 0x2060 && code <= 0x2064)
  );
}

/**
 * Terminal colours and links, characters of no width, JSON's \u00xx and percent
 * escapes. Other readers strip or decode them, so what they hide is not hidden.
 */
const DISGUISE =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\\u00([2-7][0-9A-Fa-f])|%([2-7][0-9A-Fa-f])/g;

/** The text without its disguises; `undefined` when it wears none. */
export function unmask(text: string): Unmasked | undefined {
  const pieces: string[] = [];
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length);
  let length = 0;
  const keep = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1, length += 1) {
      starts[length] = index;
      ends[length] = index + 1;
    }
    pieces.push(text.slice(from, to));
  };

  let last = 0;
  for (const match of text.matchAll(DISGUISE)) {
    keep(last, match.index);
    last = match.index + match[0].length;
    const escape = match[1] ?? match[2];
    if (escape === undefined) continue;
    pieces.push(String.fromCharCode(Number.parseInt(escape, 16)));
    starts[length] = match.index;
    ends[length] = last;
    length += 1;
  }
  if (last === 0) return undefined;
  keep(last, text.length);
  starts[length] = text.length;
  return { text: pieces.join(''), starts, ends };
}
