import { createServer } from 'node:net';

export type PortState = 'free' | 'taken' | 'forbidden' | 'no_such_host';

const BY_CODE: Readonly<Record<string, PortState>> = {
  EADDRINUSE: 'taken',
  EACCES: 'forbidden',
  EADDRNOTAVAIL: 'no_such_host',
  ENOTFOUND: 'no_such_host',
  EAI_AGAIN: 'no_such_host',
};

/** Whether a server could listen there now; asked before anything else is started. */
export function probePort(host: string, port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(BY_CODE[error.code ?? ''] ?? 'taken'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')));
  });
}
