import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { PEER_HEADER } from '@/lib/auth/address';
import { inspect } from './watch-incoming';

const incoming = (url: string, headers: IncomingMessage['headers'] = {}) => {
  const request = { url, headers, socket: { remoteAddress: '203.0.113.7' } } as unknown as IncomingMessage;
  inspect(request);
  return request;
};

test.each(['/runs/%ED%A0%80', '/api/v1/runs/%', '/%E0%A4%A', '/%zz?q=1'])('%s is led to where it is refused', (url) => {
  expect(incoming(url).url).toBe('/api/malformed-address');
});

test.each(['/', '/runs/%00', '/r%C3%BCbe?q=%ED%A0%80', '/a%2Fb'])('%s goes its way', (url) => {
  expect(incoming(url).url).toBe(url);
});

test('what a client says of its own address is replaced', () => {
  expect(incoming('/', { [PEER_HEADER]: '10.0.0.1' }).headers[PEER_HEADER]).toBe('203.0.113.7');
});
