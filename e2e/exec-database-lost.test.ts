/** A database that goes away while a run is under way. */
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion, hang } from '@/lib/testing/fake-openai-server';
import { completionOf, eventsOf, killStarted } from './fixtures/pilothouse';
import { openStage, type Stage } from './fixtures/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ PILOTHOUSE_LEASE_SECONDS: '3' });
});
afterAll(async () => {
  killStarted();
  await stage.close();
});

/** The way to the database, which can be cut. */
async function openWay(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let open = true;
  const server = net.createServer((client) => {
    const upstream = open ? net.connect(Number(target.port), target.hostname) : null;
    for (const socket of [client, ...(upstream === null ? [] : [upstream])]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    if (upstream === null) client.destroy();
    else client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    cut() {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      open = true;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('a database that goes away', { timeout: 300_000, concurrent: true }, () => {
  test('for good: exec ends with 69, says so in one line, and leaves only whole lines on stdout', async () => {
    const scene = await stage.scene();
    const way = await openWay(stage.databaseUrl);
    scene.model.push(hang());
    const child = scene.start(['exec', '--json', 'x'], { DATABASE_URL: way.url });
    await scene.model.received(1);
    way.cut();
    const ended = await child.ended;
    expect(ended.code).toBe(69);
    expect(ended.stderr).toMatch(/^pilothouse: the database cannot be reached or used any more/m);
    expect(eventsOf(ended).map(({ type }) => type)).not.toContain('session.completed');
    await way.close();
  });

  test('for a moment: the run goes on to its end', async () => {
    const scene = await stage.scene();
    const way = await openWay(stage.databaseUrl);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    scene.model.push(async () => {
      await held;
      return completion({ text: 'Done.' });
    });
    const child = scene.start(['exec', '--json', 'x'], { DATABASE_URL: way.url, PILOTHOUSE_LEASE_SECONDS: '30' });
    await scene.model.received(1);
    way.cut();
    way.mend();
    goOn();
    const ended = await child.ended;
    expect(ended.code).toBe(0);
    expect(completionOf(ended).final_text).toBe('Done.');
    child.kill('SIGKILL');
    way.cut();
    await way.close();
  });
});
