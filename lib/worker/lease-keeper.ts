/**
 * Keeps the leases of all runs of this process: one heartbeat statement for all of
 * them, every third of the lease. A lease ends for us when the database says so, or
 * when by our own clock no heartbeat has succeeded within it (stack.md §9): from then
 * on no effect may begin, whether or not anybody has noticed.
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

export interface LeaseKeeperParts {
  readonly leaseMs: number;
  readonly renew: (held: readonly HeldLease[]) => Promise<readonly Renewed[]>;
  /** After each success: for how many ms effects may go on from now (the watcher's beat). */
  readonly onBeat: (leaseMs: number) => void;
  readonly monotonic: () => number;
}

export class LeaseKeeper {
  readonly #held = new Map<RunId, Holding>();
  readonly #parts: LeaseKeeperParts;
  readonly #timer: NodeJS.Timeout;
  #beating = false;
  #lastSuccess: number;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
    this.#lastSuccess = parts.monotonic();
    this.#timer = setInterval(() => this.#tick(), parts.leaseMs / 3);
    this.#timer.unref();
  }

  /** @returns stops keeping this lease. */
  hold(holding: Holding): () => void {
    if (this.#held.size === 0) {
      this.#lastSuccess = this.#parts.monotonic();
      this.#parts.onBeat(this.#parts.leaseMs);
    }
    this.#held.set(holding.runId, holding);
    return () => {
      if (this.#held.get(holding.runId) === holding) this.#held.delete(holding.runId);
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const sinceSuccess = this.#parts.monotonic() - this.#lastSuccess;
    if (this.#held.size > 0 && sinceSuccess >= this.#parts.leaseMs) {
      this.#lose([...this.#held.values()]);
      return;
    }
    // A heartbeat that hangs must not hide the loss above; a second one beside it would not help.
    if (!this.#beating && this.#held.size > 0) void this.#beat();
  }

  async #beat(): Promise<void> {
    this.#beating = true;
    const asked = [...this.#held.values()];
    const sentAt = this.#parts.monotonic();
    try {
      const renewed = new Map((await this.#parts.renew(asked)).map((run) => [run.runId, run]));
      // Counted from the sending: the database's lease began no earlier.
      this.#lastSuccess = sentAt;
      this.#parts.onBeat(this.#parts.leaseMs - (this.#parts.monotonic() - sentAt));
      this.#lose(asked.filter((holding) => !renewed.has(holding.runId)));
      for (const holding of asked) {
        const run = renewed.get(holding.runId);
        if (run !== undefined && run.version > holding.version() && this.#held.get(holding.runId) === holding) holding.onChanged();
      }
    } catch {
      // Not renewed this time; the tick decides when that is too long.
    } finally {
      this.#beating = false;
    }
  }

  #lose(holdings: readonly Holding[]): void {
    for (const holding of holdings) {
      if (this.#held.get(holding.runId) !== holding) continue;
      this.#held.delete(holding.runId);
      holding.onLost();
    }
  }
}
