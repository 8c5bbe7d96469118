import type { EphemeralEvent } from '@/lib/agent/ports';
import type { RunId } from '@/lib/domain/id';
import type { EventPayload, RunEvent } from '@/lib/domain/run/event';
import type { Reporter } from '../output/reporter';

/**
 * The events of one turn on their way to a reporter: each once, in order, whether they
 * come from the run that is driven here or from the store; nothing after the turn rests.
 */
export class TurnFeed {
  #runId: RunId;
  #seq = 0;
  #rest: EventPayload<'session.completed'> | null = null;
  #resumable = false;

  constructor(
    runId: RunId,
    private readonly reporter: Reporter,
  ) {
    this.#runId = runId;
  }

  /** The run whose events are due; another one after a run that goes on by itself. */
  get runId(): RunId {
    return this.#runId;
  }

  /** What has been seen of it. */
  get seq(): number {
    return this.#seq;
  }

  get atRest(): boolean {
    return this.#rest !== null;
  }

  /** The session's messages are kept. */
  get resumable(): boolean {
    return this.#resumable;
  }

  take(runId: RunId, events: readonly RunEvent[]): void {
    if (runId !== this.#runId || this.atRest) return;
    const due = untilRest(events.filter((event) => event.seq > this.#seq));
    for (const event of due) this.#follow(event);
    if (due.length > 0) this.reporter.events(runId, due);
    const next = due.at(-1);
    if (next?.type === 'run.interrupted' && next.payload.continues_as !== undefined) {
      this.#runId = next.payload.continues_as as RunId;
      this.#seq = 0;
    }
  }

  ephemeral(runId: RunId, event: EphemeralEvent): void {
    if (runId === this.#runId && !this.atRest) this.reporter.ephemeral(runId, event);
  }

  #follow(event: RunEvent): void {
    this.#seq = event.seq;
    if (event.type === 'session.completed') this.#rest = event.payload;
    if (event.type === 'run.queued' && 'settings' in event.payload) this.#resumable = event.payload.settings.resumable;
  }
}

/** Facts that came later than the rest are not part of the turn's output: its last line is `session.completed`. */
function untilRest(events: readonly RunEvent[]): readonly RunEvent[] {
  const end = events.findIndex((event) => event.type === 'session.completed');
  return end === -1 ? events : events.slice(0, end + 1);
}
