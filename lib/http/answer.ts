/** What every answer of the API carries. */
import { Problem } from './problem';

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json; charset=utf-8', ...HEADERS, ...headers } });
}

export const noContent = (): Response => new Response(null, { status: 204, headers: HEADERS });

/**
 * What a query found in the project; null is 404, whether it is elsewhere or nowhere.
 * @throws Problem `not_found`
 */
export function found<T>(value: T | null): T {
  if (value === null) throw new Problem('not_found');
  return value;
}

/** A body that is read while it is made; `cancel` of the stream ends the making. */
export function streamed(contentType: string, chunks: AsyncIterable<string>, headers: Readonly<Record<string, string>> = {}): Response {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { 'content-type': contentType, ...HEADERS, ...headers } });
}
