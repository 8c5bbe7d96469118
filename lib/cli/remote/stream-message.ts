/** One message of a run's stream. Pure. */
import { z } from 'zod';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { ephemeralSchema } from '@/lib/domain/run/ephemeral';
import { eventPayloads, type RunEvent } from '@/lib/domain/run/event';
import type { Reporter } from '../output/reporter';

export type StreamMessage =
  | { readonly kind: 'event'; readonly runId: string; readonly event: RunEvent }
  | { readonly kind: 'piece'; readonly runId: string; readonly piece: EphemeralEvent }
  /** A kind of piece that this version does not know. */
  | { readonly kind: 'other' };

const envelope = z.object({
  run_id: z.string(),
  seq: z.number().int().positive().optional(),
  timestamp: z.string(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
});

/** @returns null for what no control plane sends. */
export function readMessage(data: string): StreamMessage | null {
  const read = envelope.safeParse(parsed(data));
  if (!read.success) return null;
  const { run_id: runId, seq, timestamp, type, payload } = read.data;
  // Its payload is looked at by whoever needs it: what is printed as it came needs no version that knows it.
  if (seq !== undefined) return { kind: 'event', runId, event: { seq, timestamp, type, payload } as RunEvent };
  const piece = ephemeralSchema.safeParse({ type, payload });
  return piece.success ? { kind: 'piece', runId, piece: piece.data } : { kind: 'other' };
}

/** For a reporter that reads payloads: what a newer control plane says in another form is left out. */
export function understanding(reporter: Reporter): Reporter {
  return { ...reporter, events: (runId, events) => reporter.events(runId, events.filter(isKnown)) };
}

function isKnown({ type, payload }: { readonly type: string; readonly payload: unknown }): boolean {
  const schemas: Readonly<Record<string, z.ZodType>> = eventPayloads;
  return Object.hasOwn(schemas, type) && schemas[type]?.safeParse(payload).success === true;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}
