/**
 * Which runs of a project have changed, as lists show them. One reader a process for
 * all projects and watchers; each watcher keeps what it has not taken yet, once a run,
 * so that a slow one costs no more than a screenful.
 */
import type { ProjectId, RunId } from '@/lib/domain/id';
import { ALL_RUNS } from '@/lib/store/listen';
import { readSummaries, type StoredSummary } from '@/lib/store/read-summaries';
import { openWindow } from '@/lib/store/send-window';
import { signalFrame, type RunSummary } from '../frame';
import type { LiveSource } from './run-channel';
import type { Frames } from './watch-run';

/** A list need not move faster. */
const WINDOW_MS = 200;
const RETRY_MS = 1_000;
/** More at once is a new list. */
const WAITING_LIMIT = 500;

interface Watcher {
  readonly projectId: ProjectId;
  readonly waiting: Map<RunId, RunSummary>;
  stale: boolean;
  wake: () => void;
}

export class ProjectChannel {
  readonly #watchers = new Set<Watcher>();
  #changed = new Set<string>();
  #unsubscribe: (() => void) | null = null;
  readonly #window = openWindow(WINDOW_MS, () => this.#read());

  constructor(private readonly source: LiveSource) {}

  get watchers(): number {
    return this.#watchers.size;
  }

  /** Watches from now on, whenever the first frame is asked for; until the signal fires. */
  watch(projectId: ProjectId, signal: AbortSignal): Frames {
    // The first thing said is "stale": what the reader holds is older than this.
    const watcher: Watcher = { projectId, waiting: new Map(), stale: true, wake: () => undefined };
    const end = (): void => {
      this.#leave(watcher);
      watcher.wake();
    };
    if (!signal.aborted) this.#enter(watcher);
    signal.addEventListener('abort', end);
    return framesOf(watcher, signal);
  }

  #enter(watcher: Watcher): void {
    this.#watchers.add(watcher);
    this.#unsubscribe ??= this.source.listener.subscribe(ALL_RUNS, (runId) => {
      if (runId === null) this.#stale();
      else this.#look(runId);
    });
  }

  #leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#changed = new Set();
  }

  #look(runId: string): void {
    this.#changed.add(runId);
    if (this.#changed.size > WAITING_LIMIT) this.#stale();
    else this.#window.ask();
  }

  #stale(): void {
    this.#changed = new Set();
    for (const watcher of this.#watchers) {
      watcher.stale = true;
      watcher.wake();
    }
  }

  async #read(): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    if (changed.size === 0) return;
    try {
      for (const found of await readSummaries(this.source.store, [...changed])) this.#tell(found);
    } catch {
      setTimeout(() => changed.forEach((runId) => this.#look(runId)), RETRY_MS).unref();
    }
  }

  #tell(found: StoredSummary): void {
    for (const watcher of this.#watchers) {
      if (watcher.projectId !== found.projectId) continue;
      watcher.waiting.set(found.runId, summaryOf(found));
      if (watcher.waiting.size > WAITING_LIMIT) watcher.stale = true;
      watcher.wake();
    }
  }
}

async function* framesOf(watcher: Watcher, signal: AbortSignal): Frames {
  while (!signal.aborted) {
    const more = new Promise<void>((resolve) => (watcher.wake = resolve));
    const frame = take(watcher);
    if (frame === null) await more;
    else yield [frame];
  }
  return 'stopped';
}

function take(watcher: Watcher) {
  const { waiting, stale } = watcher;
  if (!stale && waiting.size === 0) return null;
  const frame = stale ? signalFrame('runs.stale', {}) : signalFrame('runs.changed', { runs: [...waiting.values()] });
  watcher.stale = false;
  waiting.clear();
  return frame;
}

const summaryOf = (found: StoredSummary): RunSummary => ({
  id: found.runId,
  status: found.status,
  task: found.taskText,
  parent_run_id: found.parentRunId,
  last_seq: found.lastSeq,
  exit_code: found.exitCode,
  created_at: found.createdAt.toISOString(),
  started_at: found.startedAt?.toISOString() ?? null,
  ended_at: found.endedAt?.toISOString() ?? null,
});
