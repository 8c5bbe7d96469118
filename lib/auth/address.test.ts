import { expect, test } from 'vitest';
import { addressOf, PEER_HEADER } from './address';

const address = (peer: string | null, forwarded: string | null): string => {
  const headers = new Headers();
  if (peer !== null) headers.set(PEER_HEADER, peer);
  if (forwarded !== null) headers.set('x-forwarded-for', forwarded);
  return addressOf(headers);
};

test.each([
  ['203.0.113.7', null, '203.0.113.7'],
  ['::ffff:203.0.113.7', '198.51.100.1', '203.0.113.7'], // not a proxy of ours: what it says of others is not believed
  ['127.0.0.1', null, '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1, 198.51.100.2', '198.51.100.2'],
  ['::1', '2001:db8::1', '2001:db8::1'],
  ['127.0.0.1', '<script>', '127.0.0.1'],
  [null, null, 'unknown'],
])('from %s with %s it is %s', (peer, forwarded, expected) => {
  expect(address(peer, forwarded)).toBe(expected);
});
