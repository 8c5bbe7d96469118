/**
 * How long after its commit an event reaches a client, over real HTTP from the built
 * web server: from the acknowledged commit to the read message, both in this process.
 * One run, 50 events a second; one watcher, and 200.
 *
 * `lag` is by how much this process' own timers were late (median): on a machine that
 * does something else meanwhile, it is in every number beside it several times.
 */
import { get } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSecret, newApiToken } from '@/lib/auth/secret';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { insertApiToken } from '@/lib/store/api-tokens';
import { openStore, type Store } from '@/lib/store/database';
import { insertAccount } from '@/lib/store/people/account';
import { insertMember } from '@/lib/store/people/member';
import type { ProjectId } from '@/lib/domain/id';
import { modelResponded, newId, requestModel, submitTestRun, TestHolder } from '../run-builder';
import { startWeb } from '../web-server';

const WATCHERS = [1, 200] as const;
const SECONDS = 10;
/** Three events in two commits. */
const ROUND_MS = 60;
const TARGET_MS = 30;

export interface LiveResult {
  readonly watchers: number;
  readonly events: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly lagMs: number;
}

/** @param home a directory for keys; the caller removes it. */
export async function measureLive(url: string, home: string): Promise<readonly LiveResult[]> {
  const store = openStore(url, { poolSize: 4 });
  const web = await startWeb({ databaseUrl: url, env: { PILOTHOUSE_DATA_DIR: path.join(home, 'live') } });
  const results: LiveResult[] = [];
  try {
    for (const watchers of WATCHERS) results.push(await measure(store, web.url, watchers));
  } finally {
    await web.stop();
    await store.close();
  }
  print(results);
  return results;
}

async function measure(store: Store, url: string, watchers: number): Promise<LiveResult> {
  const { projectId } = await submitTestRun(store);
  const holder = await TestHolder.claim(store);
  const token = await tokenOf(store, projectId);
  const events = `${url}/api/v1/runs/${holder.run.runId}/events`;
  const clients = await Promise.all(Array.from({ length: watchers }, () => watch(events, token)));
  await sleep(500);

  const { committedAt, lags } = await write(holder);
  await holder.apply({ type: 'end', reason: { kind: 'harness_failed', class: 'runtime', code: 'bench', message: 'over' }, others: NO_OTHERS });
  await Promise.all(clients.map((client) => client.ended));
  const latencies = clients.flatMap(({ messages }) =>
    messages.flatMap(({ id, at }) => {
      const committed = committedAt.get(id);
      return committed === undefined ? [] : [at - committed];
    }),
  );
  if (latencies.length !== watchers * committedAt.size) throw new Error('an event did not arrive at every watcher, or twice');
  const at = quantiles(latencies);
  return { watchers, events: committedAt.size, medianMs: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), lagMs: quantiles(lags)(0.5) };
}

function quantiles(values: readonly number[]): (share: number) => number {
  const sorted = [...values].sort((a, b) => a - b);
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

interface Client {
  readonly messages: readonly { readonly id: number; readonly at: number }[];
  readonly ended: Promise<void>;
}

/** As little of a client as can be: 200 of them share this process with the writer. */
function watch(url: string, token: string): Promise<Client> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` } }, (response) => {
      const messages: { id: number; at: number }[] = [];
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const at = performance.now();
        const parts = (rest + chunk).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) if (part.startsWith('id: ')) messages.push({ id: Number.parseInt(part.slice(4), 10), at });
      });
      resolve({ messages, ended: new Promise((over) => response.once('close', () => over())) });
    });
    request.once('error', reject);
  });
}

interface Written {
  /** When the commit of each event was acknowledged. */
  readonly committedAt: ReadonlyMap<number, number>;
  readonly lags: readonly number[];
}

async function write(holder: TestHolder): Promise<Written> {
  const lags: number[] = [];
  const until = async (at: number): Promise<void> => {
    await sleep(at - performance.now());
    lags.push(performance.now() - at);
  };
  const committedAt = new Map<number, number>();
  const apply = async (...input: Parameters<TestHolder['apply']>): Promise<void> => {
    const before = holder.state.seq;
    await holder.apply(...input);
    const now = performance.now();
    for (let seq = before + 1; seq <= holder.state.seq; seq += 1) committedAt.set(seq, now);
  };
  const began = performance.now();
  for (let round = 0; round < (SECONDS * 1_000) / ROUND_MS; round += 1) {
    const requestId = newId('req');
    await until(began + round * ROUND_MS);
    await apply(requestModel(requestId));
    await until(began + (round + 0.5) * ROUND_MS);
    await apply(modelResponded(requestId, 'A sentence of the usual length, more or less.'));
  }
  return { committedAt, lags };
}

async function tokenOf(store: Store, projectId: ProjectId): Promise<string> {
  const userId = newId('usr');
  const token = newApiToken();
  await insertAccount(store, { userId, email: `${userId.toLowerCase()}@example.org`, name: 'Bench' });
  await insertMember(store, { projectId, userId, role: 'viewer' });
  await insertApiToken(store, { tokenId: newId('tok'), projectId, userId, name: 'bench', role: 'viewer', hash: hashSecret(token), expiresAt: null });
  return token;
}

function print(results: readonly LiveResult[]): void {
  console.log(`\ncommit → client over HTTP, 50 events a second (ms; the median shall be below ${TARGET_MS})\n`);
  console.log('  watchers   median      p95      p99      lag');
  for (const { watchers, medianMs, p95Ms, p99Ms, lagMs } of results) {
    console.log(`  ${String(watchers).padStart(8)} ${[medianMs, p95Ms, p99Ms, lagMs].map((ms) => ms.toFixed(1).padStart(8)).join(' ')}`);
  }
}
