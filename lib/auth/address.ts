/** Where the web server notes the address at the other end of the socket. */
export const PEER_HEADER = 'x-pilothouse-peer';

const ADDRESS = /^[0-9a-fA-F:.]{2,45}$/;
const LOOPBACK = /^(127\.|::1$)/;

/**
 * The address a request came from, for counting attempts and for the audit: that of the
 * socket, and behind a proxy on this machine the last one of `X-Forwarded-For`, which
 * the proxy wrote; whoever asks can only write those before it.
 */
export function addressOf(headers: Headers): string {
  const peer = plain(headers.get(PEER_HEADER));
  if (peer !== null && !LOOPBACK.test(peer)) return peer;
  return plain(headers.get('x-forwarded-for')?.split(',').at(-1) ?? null) ?? peer ?? 'unknown';
}

function plain(address: string | null): string | null {
  const trimmed = address?.trim() ?? '';
  return ADDRESS.test(trimmed) ? trimmed.replace(/^::ffff:/i, '') : null;
}
