import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * What the proxy does to the statement it was armed for:
 * - `cut_before`: the connection breaks and the server never sees it.
 * - `cut_after`: the server carries it out, and the connection breaks instead of the answer.
 * - `silence`: the server carries it out, and neither an answer nor an end ever comes.
 */
export type Fault = 'cut_before' | 'cut_after' | 'silence';

export interface DatabaseProxy {
  /** The database's address, by way of the proxy. */
  readonly url: string;
  /** The next `times` packets from a client that hold `text` meet the fault. */
  arm(fault: Fault, text: string, times?: number): void;
  /** How many have met it since it was armed. */
  readonly hits: number;
  close(): Promise<void>;
}

/** A TCP proxy before PostgreSQL, for the faults that a client cannot tell apart. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: { readonly fault: Fault; readonly text: string; left: number } | null = null;
  let hits = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let answer: 'pass' | 'cut' | 'swallow' = 'pass';
    const destroy = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', destroy);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      if (armed !== null && armed.left > 0 && chunk.includes(armed.text)) {
        armed.left -= 1;
        hits += 1;
        if (armed.fault === 'cut_before') return destroy();
        answer = armed.fault === 'cut_after' ? 'cut' : 'swallow';
      }
      upstream.write(chunk);
    });
    // The server answers a statement outside a transaction after its commit.
    upstream.on('data', (chunk) => {
      if (answer === 'cut') destroy();
      else if (answer === 'pass') client.write(chunk);
    });
    client.on('close', destroy);
    upstream.on('close', () => (answer === 'swallow' ? undefined : destroy()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    arm(fault, text, times = 1) {
      armed = { fault, text, left: times };
      hits = 0;
    },
    get hits() {
      return hits;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
