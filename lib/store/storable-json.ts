import { cleanJson } from '@/lib/domain/clean';

/** A value that no database would take: refused before it is sent. */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError';
}

/** Escapes of what PostgreSQL refuses or alters: NUL and lone surrogates. A hit may be false; then cleaning changes nothing. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;
const LAST_LINE = { maxDepth: 256, maxBytes: 256 * 1024 * 1024 };

/**
 * JSON text that PostgreSQL stores as it is. Everything was cleaned when it came in;
 * this is the last line, at the cost of one search.
 * @throws UnstorableError
 */
export function storableJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new UnstorableError('a value cannot be said in JSON', { cause: error });
  }
  if (!SUSPECT.test(text)) return text;
  const cleaned = cleanJson(value, LAST_LINE);
  if (!cleaned.ok) throw new UnstorableError(`a value cannot be stored: ${cleaned.reason}`);
  return JSON.stringify(cleaned.value);
}
