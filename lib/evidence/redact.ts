import type { JsonValue } from '../domain/json';
import { redactionMarker } from '../domain/redaction-marker';
import { anchoredTriggers } from './redact/anchored-shapes';
import { assignmentTriggers, secretPieces } from './redact/assignments';
import { hexDumpTriggers } from './redact/hex-dump';
import { knownValueTriggers } from './redact/known-values';
import { privateKeyTriggers } from './redact/private-key';
import { scan } from './redact/scan';
import { secretName } from './redact/secret-name';
import type { Span } from './redact/source';
import { HoldingStream, type RedactingStream } from './redact/stream';
import { tokenTriggers } from './redact/token-shapes';
import { buildTriggerTable, type Trigger } from './redact/triggers';
import { urlTriggers } from './redact/url-credentials';

export { containsRedactionMarker } from '../domain/redaction-marker';
export type { RedactingStream } from './redact/stream';

/**
 * Takes secrets out of what is stored, sent or shown. Pure: no I/O, no clock.
 * A marker is never taken for a secret or for a name, so redacting twice is harmless.
 * Redact first and truncate after: a token that was cut may be too short to be seen.
 */
export interface Redactor {
  /** The text with a marker in place of every secret; the same string when there is none. */
  text(value: string): string;
  /** The value with the keys and strings redacted, and what stands under a secret name. */
  json(value: JsonValue): JsonValue;
  /** For a text that comes in pieces; each channel needs its own. */
  stream(): RedactingStream;
}

const RULES: readonly Trigger[] = [
  ...tokenTriggers,
  ...anchoredTriggers,
  ...assignmentTriggers,
  ...urlTriggers,
  ...privateKeyTriggers,
  ...hexDumpTriggers,
];

/** Deeper JSON is not walked: what it holds is withheld as a whole. */
const DEEPEST = 600;

/** `known`: the values of configured secrets; those under 8 characters are ignored. */
export function createRedactor({ known }: { readonly known: readonly string[] }): Redactor {
  const table = buildTriggerTable([...RULES, ...knownValueTriggers(known)]);

  function text(value: string): string {
    const { spans } = scan(table, value);
    return spans.length === 0 ? value : replaceSpans(value, spans, 0, value.length);
  }

  function json(value: JsonValue, name: string, depth: number): JsonValue {
    if (typeof value === 'string') return named(name, value);
    if (typeof value === 'number') return isSecretNumber(name, value) ? redactionMarker('password') : value;
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return redactionMarker('too-deep');
    if (isArray(value)) return value.map((item) => json(item, name, depth + 1));
    return object(value, depth);
  }

  function object(value: { readonly [key: string]: JsonValue }, depth: number): JsonValue {
    const redacted: Record<string, JsonValue> = {};
    const label = nameOfPair(value);
    for (const [key, item] of Object.entries(value)) {
      const name = label !== undefined && key === 'value' ? label : isKeyPart(value, key) ? 'private_key' : key;
      setOwn(redacted, freeKey(text(key), redacted), json(item, name, depth + 1));
    }
    return redacted;
  }

  function named(name: string, value: string): string {
    const pieces = name === '' ? [] : secretPieces(name, value);
    return text(pieces.length === 0 ? value : replaceSpans(value, pieces, 0, value.length));
  }

  return {
    text,
    json: (value) => json(value, '', 0),
    stream: () => new HoldingStream(table, replaceSpans),
  };
}

/**
 * The text from `from` to `to` with a marker for each span. One that began earlier,
 * in what a stream has let go before it could know, is hidden from `from` on.
 */
function replaceSpans(text: string, spans: readonly Pick<Span, 'start' | 'end' | 'kind'>[], from: number, to: number): string {
  let shown = '';
  let last = from;
  for (const { start, end, kind } of spans) {
    if (end <= from || end > to) continue;
    shown += text.slice(last, Math.max(start, from)) + redactionMarker(kind);
    last = end;
  }
  return shown + text.slice(last, to);
}

/** A password may be a number; a token that is one is a count. */
function isSecretNumber(name: string, value: number): boolean {
  const verdict = secretName(name);
  return verdict?.strength === 'strong' && verdict.kind === 'password' && Math.abs(value) >= 1_000;
}

/** `{ name: 'DB_PASSWORD', value: … }`, as environments are listed. */
function nameOfPair(value: { readonly [key: string]: JsonValue }): string | undefined {
  const label = value['name'] ?? value['key'];
  return typeof label === 'string' && 'value' in value ? label : undefined;
}

const PRIVATE_PARTS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

/** The private parts of a JSON web key; its public parts stay. */
function isKeyPart(value: { readonly [key: string]: JsonValue }, key: string): boolean {
  return PRIVATE_PARTS.has(key) && typeof value['kty'] === 'string';
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function freeKey(key: string, taken: object): string {
  let free = key;
  for (let count = 2; Object.hasOwn(taken, free); count += 1) free = `${key}~${count}`;
  return free;
}

/** An assignment to `__proto__` would set the prototype and lose the value. */
function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
