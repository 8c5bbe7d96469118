/**
 * The composition root: the one place that wires the parts. Nothing else knows which
 * adapter stands behind a port.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { pino, type Logger } from 'pino';
import type { EphemeralEvent, SandboxMode, ToolPort } from '@/lib/agent/ports';
import type { CommandContext } from '@/lib/commands/context';
import { ensureDefaultProject } from '@/lib/commands/ensure-default-project';
import { expireLeases } from '@/lib/commands/expire-leases';
import type { Configuration } from '@/lib/config/environment';
import { readSecretKey } from '@/lib/config/secret-key';
import type { Actor } from '@/lib/domain/actor';
import { makeId, type NewId, type ProjectId, type RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import type { ModelPrice } from '@/lib/domain/usage';
import { inputHash } from '@/lib/evidence/input-hash';
import { createIntake, type Intake } from '@/lib/evidence/intake';
import { createRedactor } from '@/lib/evidence/redact';
import { createSealer } from '@/lib/evidence/seal';
import { createLive, type Live } from '@/lib/live/tail';
import { openModels, type ModelCatalog, type Models } from '@/lib/models/open-models';
import { openStore, type Store } from '@/lib/store/database';
import { createWritePath } from '@/lib/store/group-commit';
import { listen } from '@/lib/store/listen';
import { openDatabase, type OpenDatabase } from '@/lib/store/open-database';
import { publishEphemeral, type EphemeralPublisher } from '@/lib/store/publish-ephemeral';
import { renewLeases } from '@/lib/store/renew-leases';
import { createCommandRunner, type CommandRunner } from '@/lib/tools/command/create-command-runner';
import { detectSandbox } from '@/lib/tools/command/detect-sandbox';
import { createToolPort } from '@/lib/tools/registry';
import { createVerificationPort } from '@/lib/tools/verify';
import { systemClock } from '@/lib/worker/clock';
import { driveLocal } from '@/lib/worker/drive-local';
import type { Engine } from '@/lib/worker/engine';
import { LeaseKeeper } from '@/lib/worker/lease-keeper';
import { runWorker } from '@/lib/worker/run-worker';
import { cloneRepository } from '@/lib/workspaces/clone-repository';
import { openWorkspace } from '@/lib/workspaces/open-workspace';
import { createSnapshot } from '@/lib/workspaces/snapshot';

/** What a caller overrides for the runs that this process drives (`--base-url`, `--unsandboxed`, `--sample`). */
export interface SystemOptions {
  readonly configuration: Configuration;
  readonly model?: { readonly baseUrl?: string };
}

export interface Watcher {
  /** Durable events of the run, each once, in order, as committed. Must not throw. */
  readonly onEvents: (events: readonly RunEvent[]) => void;
  readonly onEphemeral: (event: EphemeralEvent) => void;
  /** Told once when the run has to wait for another session that writes in its directory. Must not throw. */
  readonly onWorkspaceHeld?: () => void;
}

export interface WorkerProcess {
  /** Resolves when the worker has stopped: runs in work released, nothing lost. */
  run(signal: AbortSignal): Promise<void>;
}

export interface System {
  readonly configuration: Configuration;
  readonly store: Store;
  /** Runs and lists as they change. */
  readonly live: Live;
  /** What commands need. */
  readonly commands: CommandContext;
  /** The default project; the CLI works in it. */
  readonly projectId: ProjectId;
  readonly actor: Actor;
  /** Names this process as the owner of leases. */
  readonly owner: string;
  readonly sandbox: SandboxMode;
  /** One line for a person: what answers, and where. No key in it. */
  readonly modelDescription: string;
  readonly price: (model: string) => ModelPrice | null;
  /** What a person can choose from, and what it costs. */
  readonly modelCatalog: () => ModelCatalog;
  /** Cleans and redacts text that a person gives (task, answer), before any command gets it. */
  readonly intake: (text: string) => string;
  /**
   * Drives a local run that was submitted with this process (`owner`) as its lease
   * owner, to its end or until the lease is lost. How it ended is in the database.
   */
  driveLocal(runId: RunId, watcher: Watcher): Promise<void>;
  createWorker(): WorkerProcess;
  /** Ends runs whose lease expired; every CLI verb and every process does so first. */
  sweep(): Promise<void>;
  /** Closes everything; the embedded database stops when nobody else uses it. */
  close(): Promise<void>;
}

const newId: NewId = (prefix) => makeId(prefix, Date.now(), secureRandom);

/**
 * @throws DatabaseUnavailableError, ConfigurationError, ModelSettingsError
 */
export async function openSystem(options: SystemOptions): Promise<System> {
  const { configuration } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const models = openModels({ configuration, ...options.model });
  const database = await openDatabase(configuration);
  const store = openStore(database.url, { poolSize: POOL_SIZE });
  try {
    return await wire({ configuration, owner, models, database, store });
  } catch (error) {
    // An embedded server that nobody leaves would outlive this failure.
    await store.close().catch(() => undefined);
    await database.close();
    throw error;
  }
}

interface Opened {
  readonly configuration: Configuration;
  readonly owner: string;
  readonly models: Models;
  readonly database: OpenDatabase;
  readonly store: Store;
}

async function wire({ configuration, owner, models, database, store }: Opened): Promise<System> {
  const commands: CommandContext = { store, newId };
  const [projectId, sandbox] = await Promise.all([ensureDefaultProject(commands), detectSandbox({ unsandboxed: false })]);
  const listener = listen(database.url);
  const log = pino({ name: 'pilothouse' }, pino.destination({ dest: 2, sync: true }));
  const intake = intakeOf(configuration, database.url);
  const runners = new Runners(configuration);
  const pieces = publishEphemeral(store);
  const engine = engineOf({ configuration, owner, store, models, intake, runners, pieces, log });
  const { leaseSeconds, runsPerProcess } = configuration.workers;
  const sweep = async (): Promise<void> => {
    await expireLeases(commands);
  };

  return {
    configuration,
    store,
    live: createLive({ store, listener }),
    commands,
    projectId,
    actor: 'local',
    owner,
    sandbox,
    modelDescription: models.describe(),
    price: (model) => models.price(model),
    modelCatalog: () => models.catalog(),
    intake: (text) => intake.text(text),
    driveLocal: async (runId, watcher) =>
      driveLocal(engine, listener, { projectId, runId, owner, leaseSeconds }, watcher),
    createWorker: () => ({
      run: (signal) =>
        runWorker(
          { engine, listener, owner, slots: runsPerProcess, leaseSeconds, sweep, onError: (error) => log.error(described(error), 'worker') },
          signal,
        ),
    }),
    sweep,
    async close() {
      await engine.writePath.idle();
      engine.leases.stop();
      await runners.close();
      await Promise.all([listener.close(), pieces.close()]);
      await store.close();
      await database.close();
    },
  };
}

/** Enough for the write path's few statements in flight, reads at claims, and the heartbeat. */
const POOL_SIZE = 8;

interface EngineParts {
  readonly configuration: Configuration;
  readonly owner: string;
  readonly store: Store;
  readonly models: Models;
  readonly intake: Intake;
  readonly runners: Runners;
  readonly pieces: EphemeralPublisher;
  readonly log: Logger;
}

function engineOf({ configuration, owner, store, models, intake, runners, pieces, log }: EngineParts): Engine {
  const { leaseSeconds } = configuration.workers;
  const hashKey = readSecretKey(configuration.dataDirectory, 'input-hash');
  // Clones and copies of the sample are made by Pilothouse, whatever roots are given.
  const workerRoots = [...configuration.workspaceRoots.server, path.join(configuration.dataDirectory, 'workspaces')];
  return {
    store,
    writePath: createWritePath(store),
    leases: new LeaseKeeper({
      leaseMs: leaseSeconds * 1_000,
      renew: async (runs) => [...(await renewLeases(store, { owner, leaseSeconds, runs }))].map(([runId, renewed]) => ({ runId, ...renewed })),
      onBeat: (ms) => runners.beat(ms),
      monotonic: systemClock.monotonic,
    }),
    intake,
    publish: (runId, event) => pieces.publish(runId, event),
    clock: systemClock,
    entropy: { newId, random: Math.random },
    modelRetries: configuration.model.retries,
    newNonce: randomUUID,
    hashInput: (input) => inputHash(hashKey, input),
    modelFor: (model) => models.modelFor(model),
    runnerFor: (unsandboxed) => runners.open(unsandboxed),
    toolsFor: oncePerRunner((runner) => createToolPort({ runner, hiddenDirectories: [configuration.dataDirectory] })),
    verificationFor: (runner, workspace) => createVerificationPort({ runner, workspace }),
    changesFor: (root, turnId) => createSnapshot({ root, turnId, dataDirectory: configuration.dataDirectory }),
    mayWorkIn: async (directory) => (await openWorkspace(directory, workerRoots, 'read_write')).ok,
    clone: (request) => cloneRepository({ ...request, localRoots: configuration.workspaceRoots.server }),
    onUnexpected: (error, runId) => log.error({ ...described(error), runId }, 'a run met something unforeseen'),
  };
}

/** Tools keep nothing of a run, and describing them in JSON Schema is not worth repeating for each. */
function oncePerRunner(create: (runner: CommandRunner) => ToolPort): (runner: CommandRunner) => ToolPort {
  const made = new WeakMap<CommandRunner, ToolPort>();
  return (runner) => {
    const known = made.get(runner) ?? create(runner);
    made.set(runner, known);
    return known;
  };
}

/** Every secret that this process was given is known to the redactor (I11). */
function intakeOf(configuration: Configuration, databaseUrl: string): Intake {
  const known = [
    configuration.model.apiKey,
    configuration.adminToken,
    configuration.auth.secret,
    configuration.remote.token,
    passwordOf(databaseUrl),
  ].filter((value): value is string => value !== undefined && value !== '');
  return createIntake({
    redactor: createRedactor({ known }),
    sealer: createSealer(readSecretKey(configuration.dataDirectory, 'seal')),
  });
}

function passwordOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { password } = new URL(url);
  try {
    return decodeURIComponent(password);
  } catch {
    // A percent sign that escapes nothing stands for itself.
    return password;
  }
}

/** The message of a database driver's error may hold data and source (database-faults.md); ours are made for people. */
function described(error: unknown): { readonly error: string; readonly code?: unknown } {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: `${error.name}: ${error.message.slice(0, 300)}`, ...('code' in error ? { code: error.code } : {}) };
}

/** Command runners by who answers for them: one for all where a sandbox is present. */
class Runners {
  readonly #opened = new Map<SandboxMode, CommandRunner>();
  #beatMs: number | null = null;

  constructor(private readonly configuration: Configuration) {}

  async open(unsandboxed: boolean): Promise<CommandRunner> {
    const sandbox = await detectSandbox({ unsandboxed });
    const existing = this.#opened.get(sandbox);
    if (existing !== undefined) return existing;
    const runner = createCommandRunner({
      sandbox,
      watcher: { leaseMs: this.#beatMs ?? this.configuration.workers.leaseSeconds * 1_000 },
      cancelGraceMs: this.configuration.cancelGraceSeconds * 1_000,
      hiddenDirectories: [this.configuration.dataDirectory],
    });
    this.#opened.set(sandbox, runner);
    return runner;
  }

  beat(ms: number): void {
    this.#beatMs = ms;
    for (const runner of this.#opened.values()) runner.beat(ms);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((runner) => runner.close()));
  }
}

/** Unguessable ids (domain.md §2): not Math.random. */
const secureRandom = (): number => randomInt(2 ** 32) / 2 ** 32;
