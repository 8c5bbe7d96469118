/**
 * Keeps the leases of all runs of this process: one heartbeat statement for all of
 * them, every third of the lease. A lease ends for us when the database says so, or
 * when by our own clock no heartbeat has succeeded within it (stack.md §9): at that
 * very moment its run is told to stop, not with the next heartbeat.
 */
import type { RunId } from '@/lib/domain/id';

export interface HeldLease {
  readonly runId: RunId;
  readonly leaseEpoch: number;
}

/** What a heartbeat tells of a run that is still ours; a run that is missing is lost. */
export interface Renewed {
  readonly runId: RunId;
  readonly version: number;
}

interface Holding extends HeldLease {
  readonly version: () => number;
  readonly onLost: () => void;
  /** Somebody else's command changed the run. */
  readonly onChanged: () => void;
}

interface Kept {
  readonly holding: Holding;
  /** By our clock, before the database began to count the present lease. */
  since: number;
}

export interface LeaseKeeperParts {
  readonly leaseMs: number;
  readonly renew: (held: readonly HeldLease[]) => Promise<readonly Renewed[]>;
  /** After each success: for how many ms effects may go on from now (the watcher's beat). */
  readonly onBeat: (leaseMs: number) => void;
  readonly monotonic: () => number;
}

/** A heartbeat on a connection that broke without a word hangs; another connection may be sound. */
const BEATS_UNDER_WAY = 2;

export class LeaseKeeper {
  readonly #kept = new Map<RunId, Kept>();
  readonly #parts: LeaseKeeperParts;
  readonly #heartbeat: NodeJS.Timeout;
  #ending: NodeJS.Timeout | null = null;
  #underWay = 0;
  #newestSuccess = Number.NEGATIVE_INFINITY;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
    this.#heartbeat = setInterval(() => this.#tick(), parts.leaseMs / 3);
    this.#heartbeat.unref();
  }

  /** @returns stops keeping this lease. */
  hold(holding: Holding): () => void {
    if (this.#kept.size === 0) this.#parts.onBeat(this.#parts.leaseMs);
    const kept: Kept = { holding, since: this.#parts.monotonic() };
    this.#kept.set(holding.runId, kept);
    this.#watchTheEnd();
    return () => {
      if (this.#kept.get(holding.runId) === kept) this.#kept.delete(holding.runId);
    };
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    if (this.#ending !== null) clearTimeout(this.#ending);
  }

  #tick(): void {
    if (this.#kept.size > 0 && this.#underWay < BEATS_UNDER_WAY) void this.#beat();
  }

  async #beat(): Promise<void> {
    this.#underWay += 1;
    const asked = [...this.#kept.values()];
    const sentAt = this.#parts.monotonic();
    try {
      const renewed = new Map((await this.#parts.renew(asked.map(({ holding }) => holding))).map((run) => [run.runId, run]));
      this.#succeeded(sentAt);
      this.#lose(asked.filter(({ holding }) => !renewed.has(holding.runId)));
      for (const kept of asked) {
        const run = renewed.get(kept.holding.runId);
        if (run === undefined || this.#kept.get(run.runId) !== kept) continue;
        // Counted from the sending: the database's lease began no earlier.
        kept.since = Math.max(kept.since, sentAt);
        if (run.version > kept.holding.version()) kept.holding.onChanged();
      }
    } catch {
      // Not renewed this time; the end of the lease comes by the clock.
    } finally {
      this.#underWay -= 1;
    }
  }

  #succeeded(sentAt: number): void {
    if (sentAt < this.#newestSuccess) return;
    this.#newestSuccess = sentAt;
    this.#parts.onBeat(Math.max(0, this.#parts.leaseMs - (this.#parts.monotonic() - sentAt)));
  }

  /** One timer, for the lease that ends first; renewed ones are found renewed when it rings. */
  #watchTheEnd(): void {
    if (this.#ending !== null || this.#kept.size === 0) return;
    const first = Math.min(...[...this.#kept.values()].map(({ since }) => since));
    const left = first + this.#parts.leaseMs - this.#parts.monotonic();
    this.#ending = setTimeout(() => {
      this.#ending = null;
      this.#lose([...this.#kept.values()].filter(({ since }) => this.#parts.monotonic() - since >= this.#parts.leaseMs));
      this.#watchTheEnd();
    }, Math.max(1, left));
    this.#ending.unref();
  }

  #lose(list: readonly Kept[]): void {
    for (const kept of list) {
      if (this.#kept.get(kept.holding.runId) !== kept) continue;
      this.#kept.delete(kept.holding.runId);
      kept.holding.onLost();
    }
  }
}
