/**
 * Pieces that are streamed and never stored (contract.md §4). They are redacted before
 * they get here. An offset counts UTF-16 units of its own stream, (request, kind) or
 * (call, stream), so that a late reader sees how much of the beginning is missing.
 */
import { z } from 'zod';
import type { CallId, RequestId } from '../id';

const offset = z.number().int().nonnegative();
const id = <T extends string>() => z.custom<T>((value) => typeof value === 'string');

export const ephemeralSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('model.delta'),
    payload: z.object({ request_id: id<RequestId>(), kind: z.enum(['text', 'reasoning']), offset, text: z.string() }),
  }),
  z.object({
    type: z.literal('tool.output'),
    payload: z.object({ call_id: id<CallId>(), stream: z.enum(['stdout', 'stderr']), offset, text: z.string() }),
  }),
]);

export type EphemeralEvent = z.infer<typeof ephemeralSchema>;

/** Names the stream that a piece continues. */
export function streamOf({ type, payload }: EphemeralEvent): string {
  return type === 'model.delta' ? `${payload.request_id} ${payload.kind}` : `${payload.call_id} ${payload.stream}`;
}

/** The same stream, from `from` on. The whole piece lies there, or a part of it. */
export function pieceFrom(piece: EphemeralEvent, from: number): EphemeralEvent {
  const skipped = from - piece.payload.offset;
  return { ...piece, payload: { ...piece.payload, offset: from, text: piece.payload.text.slice(skipped) } } as EphemeralEvent;
}
