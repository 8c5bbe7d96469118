/**
 * The composition root: the one place that wires the parts. Nothing else knows which
 * adapter stands behind a port.
 */
import type { EphemeralEvent, SandboxMode } from '@/lib/agent/ports';
import type { Configuration } from '@/lib/config/environment';
import type { Actor } from '@/lib/domain/actor';
import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import type { ModelPrice } from '@/lib/domain/usage';
import type { Store } from '@/lib/store/database';

/** What a caller overrides for the runs that this process drives (`--base-url`, `--unsandboxed`, `--sample`). */
export interface SystemOptions {
  readonly configuration: Configuration;
  readonly model?: { readonly baseUrl?: string; readonly scriptPath?: string };
  /** Directories allowed as workspaces beside the configured ones (`--cwd`). */
  readonly workspaceRoots?: readonly string[];
}

export interface Watcher {
  /** Durable events of the run, each once, in order, as committed. Must not throw. */
  readonly onEvents: (events: readonly RunEvent[]) => void;
  readonly onEphemeral: (event: EphemeralEvent) => void;
}

export interface WorkerProcess {
  /** Resolves when the worker has stopped: runs in work released, nothing lost. */
  run(signal: AbortSignal): Promise<void>;
}

export interface System {
  readonly configuration: Configuration;
  readonly store: Store;
  /** The default project; the CLI works in it. */
  readonly projectId: ProjectId;
  readonly actor: Actor;
  readonly sandbox: SandboxMode;
  /** One line for a person: what answers, and where. No key in it. */
  readonly modelDescription: string;
  readonly price: (model: string) => ModelPrice | null;
  /**
   * Drives a local run that was submitted with this process as its lease owner, to its
   * end (status terminal) or until the lease is lost. Resolves then; how it ended is in
   * the database.
   */
  driveLocal(runId: RunId, watcher: Watcher): Promise<void>;
  /** Cleans and redacts text that a person gives (task, answer), before any command gets it. */
  readonly intake: (text: string) => string;
  createWorker(): WorkerProcess;
  /** Ends runs whose lease expired (every CLI verb and every process does so first). */
  sweep(): Promise<void>;
  /** Closes everything; the embedded database stops when nobody else uses it. */
  close(): Promise<void>;
}
