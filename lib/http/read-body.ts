import { cleanJson } from '@/lib/domain/clean';
import type { JsonValue } from '@/lib/domain/json';
import { isDeeperThan } from './json-depth';
import { Problem } from './problem';

export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * The JSON of a request, bounded by the bytes that came and not by what a header says,
 * with what no store accepts (NUL, lone surrogates) replaced. `undefined`: no body.
 * @throws Problem
 */
export async function readBody(request: Request): Promise<JsonValue | undefined> {
  const bytes = await readBounded(request);
  if (bytes.length === 0) return undefined;
  if (!isJson(request.headers.get('content-type'))) throw new Problem('unsupported_media_type');
  const text = decode(bytes);
  if (isDeeperThan(text, MAX_DEPTH)) throw new Problem('too_deep', { detail: `At most ${MAX_DEPTH} levels are read.` });
  const cleaned = cleanJson(parse(text), { maxDepth: MAX_DEPTH, maxBytes: 4 * MAX_BODY_BYTES });
  if (!cleaned.ok) throw new Problem('malformed_json');
  return cleaned.value;
}

async function readBounded(request: Request): Promise<Uint8Array> {
  const tooLarge = (): Problem => new Problem('body_too_large', { detail: `A body has at most ${MAX_BODY_BYTES} bytes.` });
  // Said to be too large: refused before it is sent.
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > MAX_BODY_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge();
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

const isJson = (contentType: string | null): boolean => /^application\/json\s*(;|$)/i.test(contentType?.trim() ?? '');

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed_json', { detail: 'The body is not UTF-8.' });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('malformed_json');
  }
}
