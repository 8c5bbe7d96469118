/**
 * Pieces on their way from the process that drives a run to those that stream it to
 * people. An aside: it never waits for a reader and never fails a run; where too much
 * waits, pieces are dropped, and the readers see by the next offset that they were.
 */
import { z } from 'zod';
import { ephemeralSchema, pieceFrom, streamOf, type EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { notifyStatement, PAYLOAD_BYTES } from './channels';
import { openWindow } from './send-window';
import type { Sql } from './sql';

export interface Piece {
  readonly runId: string;
  readonly event: EphemeralEvent;
}

export interface EphemeralPublisher {
  publish(runId: string, event: EphemeralEvent): void;
  close(): Promise<void>;
}

const WINDOW_MS = 20;
/** Of characters that wait; a healthy database takes them within a window or two. */
const WAITING_LIMIT = 256 * 1_024;

const told = z.object({ told: z.string() });

export function publishEphemeral(sql: Sql): EphemeralPublisher {
  const statement = notifyStatement('piece');
  let waiting: Piece[] = [];
  let size = 0;
  const window = openWindow(WINDOW_MS, async () => {
    const payloads = payloadsOf(waiting);
    waiting = [];
    size = 0;
    if (payloads.length > 0) await sql.rows(told, statement, payloads);
  });
  return {
    publish(runId, event) {
      const length = event.payload.text.length;
      if (length === 0 || size + length > WAITING_LIMIT) return;
      size += length;
      const last = waiting.at(-1);
      const joined = last?.runId === runId ? join(last.event, event) : null;
      if (joined === null) waiting.push({ runId, event });
      else waiting[waiting.length - 1] = { runId, event: joined };
      window.ask();
    },
    close: () => window.close(),
  };
}

/** The piece that both make together, where the second goes on where the first ends. */
function join(first: EphemeralEvent, second: EphemeralEvent): EphemeralEvent | null {
  const goesOn = streamOf(first) === streamOf(second) && first.payload.offset + first.payload.text.length === second.payload.offset;
  if (!goesOn) return null;
  return { ...first, payload: { ...first.payload, text: first.payload.text + second.payload.text } } as EphemeralEvent;
}

/** Packed, one piece a line: JSON has no line breaks of its own. */
export function payloadsOf(pieces: readonly Piece[]): string[] {
  const result: string[] = [];
  let payload = '';
  for (const line of pieces.flatMap(linesOf)) {
    if (payload !== '' && Buffer.byteLength(payload) + 1 + Buffer.byteLength(line) > PAYLOAD_BYTES) {
      result.push(payload);
      payload = '';
    }
    payload += payload === '' ? line : `\n${line}`;
  }
  return payload === '' ? result : [...result, payload];
}

function linesOf(piece: Piece): string[] {
  const line = JSON.stringify(piece);
  if (Buffer.byteLength(line) <= PAYLOAD_BYTES) return [line];
  const { offset, text } = piece.event.payload;
  const middle = boundary(text, text.length >> 1);
  if (middle <= 0) return []; // names too long to carry anything
  const tail = pieceFrom(piece.event, offset + middle);
  const head = { ...piece.event, payload: { ...piece.event.payload, text: text.slice(0, middle) } } as EphemeralEvent;
  return [...linesOf({ ...piece, event: head }), ...linesOf({ ...piece, event: tail })];
}

/** Not within a surrogate pair: each piece is shown, and cleaned, on its own. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

const line = z.object({ runId: z.string(), event: ephemeralSchema });

/** What a payload carries; lines that another version wrote differently are left out. */
export function readPieces(payload: string): Piece[] {
  return payload.split('\n').flatMap((text): Piece[] => {
    try {
      return [line.parse(JSON.parse(text))];
    } catch {
      return [];
    }
  });
}
