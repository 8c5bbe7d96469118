import { ANY_BASE64 } from './char-class';
import type { Source } from './source';
import type { Trigger } from './triggers';

/** Below this a value is an ordinary word too, and to replace it would destroy what is shown. */
export const SHORTEST_KNOWN = 8;

/** The automaton need not hold whole secrets: a beginning leads to the comparison. */
const TRIGGER_LENGTH = 16;

/** Finds configured secrets in every form in which they travel. */
export function knownValueTriggers(known: readonly string[]): readonly Trigger[] {
  const forms = new Map<string, boolean>();
  for (const value of known) {
    if (value.length < SHORTEST_KNOWN) continue;
    for (const form of plainForms(value)) forms.set(form, false);
    for (const form of base64Forms(value)) if (!forms.has(form)) forms.set(form, true);
  }
  return [...forms].map(([form, encoded]) => ({
    word: form.slice(0, TRIGGER_LENGTH),
    exact: true,
    // Must be found even where it begins inside something else.
    always: true,
    read: (source, start) => readKnown(source, start, form, encoded),
  }));
}

function readKnown(source: Source, start: number, form: string, encoded: boolean): void {
  if (!source.at(form, start)) return;
  const end = start + form.length;
  if (!encoded) {
    source.found(start, end, 'known-value');
    return;
  }
  // What is encoded together with it goes too: half a byte of it would stay otherwise.
  source.candidate = source.runBack(ANY_BASE64, start, 4);
  source.found(source.candidate, Math.min(source.run(ANY_BASE64, end), end + 4), 'known-value');
}

function plainForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeUri(value);
  const html = value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  return [
    value,
    url,
    url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    url.replace(/%20/g, '+'),
    json,
    JSON.stringify(json).slice(1, -1),
    html,
    Buffer.from(value, 'utf8').toString('hex'),
  ];
}

/** A lone surrogate has no URL form; the other forms still hold. */
function encodeUri(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * The characters of its base64 that depend on nothing but the value, for each
 * of the three ways in which it can lie among other bytes, in both alphabets.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    return [core, core.replace(/\+/g, '-').replace(/\//g, '_')];
  });
}
