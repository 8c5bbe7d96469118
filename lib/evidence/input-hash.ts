import { createHmac } from 'node:crypto';
import { canonicalText } from '../domain/fingerprint';
import type { JsonValue } from '../domain/json';

/**
 * HMAC-SHA-256, in hex, of a call's canonical input. It says later whether two
 * inputs were the same; keyed, because a plain hash of a short secret could be
 * found by trying.
 */
export function inputHash(key: Buffer, input: JsonValue): string {
  return createHmac('sha256', key).update(canonicalText(input), 'utf8').digest('hex');
}
