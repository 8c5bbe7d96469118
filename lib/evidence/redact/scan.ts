import { ANY_BASE64, inClass } from './char-class';
import { mayDisguise, unmask } from './disguise';
import { mergeSpans, Source, type Span } from './source';
import type { TriggerTable } from './triggers';

/** What a text holds that must not be shown. */
export interface Scan {
  /** In order, without overlap. */
  readonly spans: readonly Span[];
  /** Before this index no further text can change anything. */
  readonly settled: number;
}

const NO_SPANS: readonly Span[] = [];

/** Shorter encoded text holds no secret that is not found otherwise. */
const SHORTEST_ENCODED = 24;
const LONGEST_ENCODED = 262_144;
/** Encoded text in encoded text is looked into; deeper than that nobody reads by accident. */
const DEEPEST = 2;

/** Bit flags of a character code, so that the walk asks one table. */
const ENCODED = 1;
const DISGUISED = 2;
const TRAITS = new Uint8Array(65_536);
for (let code = 0; code < TRAITS.length; code += 1) {
  TRAITS[code] = (inClass(ANY_BASE64, code) && code !== 61 ? ENCODED : 0) | (mayDisguise(code) ? DISGUISED : 0);
}

/** Finds all secrets of the text, its disguised and encoded ones included. */
export function scan(table: TriggerTable, text: string, depth = 0): Scan {
  const walked = walk(table, text, depth);
  if (!walked.disguised) return walked;
  const unmasked = unmask(text);
  if (unmasked === undefined) return walked;

  const seen = walk(table, unmasked.text, depth);
  const mapped = seen.spans.map((span) => ({
    ...span,
    start: unmasked.starts[span.start] ?? 0,
    end: unmasked.ends[span.end - 1] ?? text.length,
  }));
  return {
    spans: mapped.length === 0 ? walked.spans : mergeSpans([...walked.spans, ...mapped]),
    settled: Math.min(walked.settled, unmasked.starts[seen.settled] ?? 0),
  };
}

function walk(table: TriggerTable, text: string, depth: number): Scan & { readonly disguised: boolean } {
  const { column, next, width, hits } = table;
  let source: Source | undefined;
  let settled = text.length;
  let state = 0;
  let encodedFrom = 0;
  let traits = 0;

  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const trait = TRAITS[code] ?? 0;
    traits |= trait;
    if ((trait & ENCODED) === 0) {
      if (index - encodedFrom >= SHORTEST_ENCODED) {
        source ??= new Source(text);
        readEncoded(table, source, encodedFrom, index, depth);
      }
      encodedFrom = index + 1;
    }
    state = next[state * width + (column[code] ?? 0)] ?? 0;
    const found = hits[state];
    if (found === undefined || found.length === 0) continue;
    source ??= new Source(text);
    for (const trigger of found) {
      const start = index + 1 - trigger.word.length;
      if (start < source.covered && trigger.always !== true) continue;
      if (trigger.exact && !text.startsWith(trigger.word, start)) continue;
      source.begin(start);
      trigger.read(source, start, index + 1);
      settled = Math.min(settled, source.openFrom());
    }
  }
  if (text.length - encodedFrom >= SHORTEST_ENCODED) {
    source ??= new Source(text);
    readEncoded(table, source, encodedFrom, text.length, depth);
  }
  settled = Math.min(settled, encodedFrom, text.length - (table.depth[state] ?? 0));
  const spans = source === undefined || source.spans.length === 0 ? NO_SPANS : mergeSpans(source.spans);
  return { spans, settled, disguised: (traits & DISGUISED) !== 0 };
}

/** Base64 of text that holds a secret goes as a whole. */
function readEncoded(table: TriggerTable, source: Source, from: number, end: number, depth: number): void {
  if (depth >= DEEPEST || from < source.covered || end - from > LONGEST_ENCODED) return;
  // An image or a hash is seen at once: its beginning is no text.
  if (!isText(Buffer.from(source.text.slice(from, Math.min(end, from + 32)), 'base64'))) return;
  const decoded = Buffer.from(source.text.slice(from, end), 'base64').toString('latin1');
  const { spans } = scan(table, decoded, depth + 1);
  const first = spans[0];
  if (first === undefined) return;
  const until = source.text.charAt(end) === '=' ? end + (source.text.charAt(end + 1) === '=' ? 2 : 1) : end;
  source.found(from, until, first.kind, ANY_BASE64);
}

function isText(bytes: Buffer): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09);
}
