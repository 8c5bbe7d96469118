/** The lines of `--json`: exactly the objects that SSE carries (contract.md §4). */
import type { EphemeralEvent } from '@/lib/agent/ports';
import type { RunEvent } from '@/lib/domain/run/event';

const VERSION = '1';

export function eventLine(runId: string, event: RunEvent): string {
  const { seq, timestamp, type, payload } = event;
  return `${JSON.stringify({ version: VERSION, run_id: runId, seq, timestamp, type, payload })}\n`;
}

/** Streamed but not stored: without `seq`. */
export function ephemeralLine(runId: string, event: EphemeralEvent, now: Date): string {
  const { type, payload } = event;
  return `${JSON.stringify({ version: VERSION, run_id: runId, timestamp: now.toISOString(), type, payload })}\n`;
}
