/**
 * The engine of one worker process on a test database: everything as the product wires
 * it, but for the model, the tools and the workspace's history, which a test gives.
 */
import { randomUUID } from 'node:crypto';
import type { ModelPort, SandboxMode, ToolPort } from '@/lib/agent/ports';
import type { RunId } from '@/lib/domain/id';
import { inputHash } from '@/lib/evidence/input-hash';
import { createIntake } from '@/lib/evidence/intake';
import { createRedactor } from '@/lib/evidence/redact';
import { createSealer } from '@/lib/evidence/seal';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import { claimRuns } from '@/lib/store/claim-runs';
import { openStore, type Store } from '@/lib/store/database';
import { createWritePath } from '@/lib/store/group-commit';
import { renewLeases } from '@/lib/store/renew-leases';
import { createCommandRunner, type CommandRunner } from '@/lib/tools/command/create-command-runner';
import { systemClock } from '@/lib/worker/clock';
import type { Engine } from '@/lib/worker/engine';
import { LeaseKeeper } from '@/lib/worker/lease-keeper';
import { newId } from './run-builder';

export interface TestEngineOptions {
  readonly url: string;
  readonly modelFor: (model: string) => ModelPort;
  readonly tools?: ToolPort | ((runner: CommandRunner) => ToolPort);
  readonly leaseSeconds?: number;
  readonly sandbox?: SandboxMode;
  readonly mayWorkIn?: Engine['mayWorkIn'];
  /** The same for workers of one installation. */
  readonly key?: Buffer;
  readonly poolSize?: number;
}

export interface TestEngine extends Engine {
  readonly owner: string;
  readonly leaseSeconds: number;
  readonly store: Store;
  /** What nobody foresaw. */
  readonly unexpected: { readonly error: unknown; readonly runId: RunId }[];
  readonly claim: (limit?: number) => Promise<readonly ClaimedRun[]>;
  close(): Promise<void>;
}

const NO_TOOLS: ToolPort = { descriptions: [], sandbox: 'bubblewrap', find: () => undefined };
const INSTALLATION = Buffer.alloc(32, 3);

export function testEngine(options: TestEngineOptions): TestEngine {
  const { leaseSeconds = 30, tools = NO_TOOLS, key = INSTALLATION } = options;
  const owner = `test-${randomUUID()}`;
  const store = openStore(options.url, { poolSize: options.poolSize ?? 4 });
  const unexpected: TestEngine['unexpected'] = [];
  let runner: CommandRunner | null = null;
  const leases = new LeaseKeeper({
    leaseMs: leaseSeconds * 1_000,
    renew: async (runs) => [...(await renewLeases(store, { owner, leaseSeconds, runs }))].map(([runId, renewed]) => ({ runId, ...renewed })),
    onBeat: (ms) => runner?.beat(ms),
    monotonic: systemClock.monotonic,
  });
  return {
    owner,
    leaseSeconds,
    store,
    writePath: createWritePath(store),
    leases,
    intake: createIntake({ redactor: createRedactor({ known: [] }), sealer: createSealer(key) }),
    publish: () => undefined,
    clock: systemClock,
    entropy: { newId, random: Math.random },
    modelRetries: 5,
    newNonce: randomUUID,
    hashInput: (input) => inputHash(INSTALLATION, input),
    modelFor: options.modelFor,
    runnerFor: async () =>
      (runner ??= createCommandRunner({
        sandbox: options.sandbox ?? 'none',
        watcher: { leaseMs: leaseSeconds * 1_000 },
        cancelGraceMs: 500,
      })),
    toolsFor: (opened) => (typeof tools === 'function' ? tools(opened) : tools),
    verificationFor: () => ({ verify: async () => ({ ran: false, reason: 'no verifier in tests' }) }),
    mayWorkIn: options.mayWorkIn ?? (async () => true),
    changesFor: () => ({
      rememberStart: async () => undefined,
      compare: async () => 'equal',
      differing: async (paths) => new Map(paths.map((path) => [path, false])),
      diff: async () => null,
    }),
    clone: async () => ({ ok: false, reason: 'refused', message: 'nothing is cloned in this test' }),
    onUnexpected: (error, runId) => void unexpected.push({ error, runId }),
    unexpected,
    claim: (limit = 1) => claimRuns(store, { owner, leaseSeconds, limit }),
    async close() {
      leases.stop();
      await runner?.close();
      await store.close();
    },
  };
}
