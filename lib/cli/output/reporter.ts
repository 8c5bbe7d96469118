import type { EphemeralEvent } from '@/lib/agent/ports';
import type { RunEvent } from '@/lib/domain/run/event';
import type { RunView } from '@/lib/queries/show-run';

/** Shows a turn while it goes on, and its end. None of it throws or waits. */
export interface Reporter {
  /** Durable events of a run, each once, in order. */
  events(runId: string, events: readonly RunEvent[]): void;
  ephemeral(runId: string, event: EphemeralEvent): void;
  /** The turn rests; `run` is what the database holds of it. */
  ended(run: RunView, context: { readonly resumable: boolean }): void;
}
