import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonValue } from './json';

/**
 * The canonical text of a value (RFC 8785): equal for equal values, whatever the
 * order of their keys. Deep values recurse; clean them with `cleanJson` first.
 */
export function canonicalText(value: JsonValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/**
 * SHA-256 of the canonical text, in hex: says whether a command came again with
 * the same input. Deterministic; node only, so pages that run in a browser must
 * not import it.
 */
export function fingerprint(payload: JsonValue): string {
  return createHash('sha256').update(canonicalText(payload), 'utf8').digest('hex');
}
