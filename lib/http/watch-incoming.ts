import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { PEER_HEADER } from '@/lib/auth/address';

/** Answers 400, whatever is asked of it. */
const MALFORMED = '/api/malformed-address';

/**
 * Two things that only the socket's side can do, before a request is routed:
 *
 * - a path whose escapes decode to no text is 400; Next answers it with 500, before any
 *   route of ours is asked;
 * - the address at the other end is noted, under a name that no client can use: what
 *   they send under it is replaced.
 */
export function watchIncoming(): void {
  subscribe('http.server.request.start', (message) => {
    if (isStart(message)) inspect(message.request);
  });
}

export function inspect(request: Pick<IncomingMessage, 'url' | 'headers' | 'socket'>): void {
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? '';
  if (!isDecodable(request.url ?? '')) request.url = MALFORMED;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

const isStart = (message: unknown): message is { readonly request: IncomingMessage } =>
  typeof message === 'object' && message !== null && 'request' in message;
