import net from 'node:net';

const HOST = '127.0.0.1';

/** A port that nobody uses now; `preferred` when it is free. Somebody may still be faster: the caller retries. */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await listenOn(preferred)) !== null) return preferred;
  const port = await listenOn(0);
  if (port === null) throw new Error(`no free port on ${HOST}`);
  return port;
}

function listenOn(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(null));
    server.listen(port, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
