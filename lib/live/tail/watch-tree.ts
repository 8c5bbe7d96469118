/**
 * A run with the runs below it, in one stream. Each reader reads for itself: few watch
 * trees, and those are scripts that want all of it.
 *
 * The id of an event is the cursor of every run so far, since one seq would not tell
 * where to go on.
 */
import type { RunId } from '@/lib/domain/id';
import { isTerminal } from '@/lib/domain/run/status';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { readLog } from '@/lib/store/read-log';
import type { RunRef } from '@/lib/store/read-run';
import { readMembers, readTree, type TreeEvent } from '@/lib/store/read-tree';
import { ephemeralFrame, eventFrame, type Frame } from '../frame';
import { endsStream, logEnded } from '../log-end';
import { PieceGate } from '../piece-gate';
import { formatCursors } from '../stream-request';
import { readAgain } from './read-again';
import { boundsOf, PAGE, type LiveSource } from './run-channel';
import { treeOrder, wholeMoments } from './tree-order';
import type { Frames } from './watch-run';

/** More at once is dropped: their offsets say so. */
const PIECES = 500;

export async function watchTree(source: LiveSource, ref: RunRef, after: ReadonlyMap<RunId, number>, signal: AbortSignal): Promise<Frames | null> {
  const members = new Members(source, signal);
  members.add(ref.runId);
  const root = await readAgain(signal, () => readLog(source.store, ref, Number.MAX_SAFE_INTEGER, 1));
  if (root === null) {
    members.leave();
    return signal.aborted ? nothing() : null;
  }
  if (root.state.status === 'cancelling' || isTerminal(root.state.status)) members.gate(ref.runId).shut();
  return follow(source, ref, { ended: logEnded(root.state), isChild: root.state.isChild }, new Map(after), members, signal);
}

async function* nothing(): Frames {
  return 'stopped';
}

async function* follow(
  source: LiveSource,
  ref: RunRef,
  root: { readonly ended: boolean; readonly isChild: boolean },
  cursors: Map<RunId, number>,
  members: Members,
  signal: AbortSignal,
): Frames {
  try {
    while (!signal.aborted) {
      const more = members.next();
      const known = await readAgain(signal, () => readMembers(source.store, ref));
      for (const runId of known ?? []) members.add(runId);
      const page = await readAgain(signal, () => readTree(source.store, ref, cursors, PAGE));
      if (page === null) break;
      const events = treeOrder(wholeMoments(page, PAGE));
      const end = root.ended ? -1 : events.findIndex(({ runId, event }) => runId === ref.runId && endsStream(event, root.isChild));
      const frames = events.slice(0, end === -1 ? events.length : end + 1).map((one) => frameOf(one, cursors, members));
      frames.push(...members.pieces());
      if (frames.length > 0) yield frames;
      if (end !== -1 || (root.ended && page.length < PAGE)) return 'ended';
      if (page.length < PAGE) await more;
    }
    return 'stopped';
  } finally {
    members.leave();
  }
}

function frameOf({ runId, event }: TreeEvent, cursors: Map<RunId, number>, members: Members): Frame {
  cursors.set(runId, event.seq);
  members.gate(runId).see(event);
  const id = formatCursors([...cursors].map(([run, after]) => ({ runId: run, after })));
  return { ...eventFrame(runId, event), id };
}

/** The runs of the tree that are listened to, and what they say besides their logs. */
class Members {
  readonly #gates = new Map<RunId, PieceGate>();
  readonly #heard = new Set<RunId>();
  readonly #ends: (() => void)[] = [];
  #pieces: { readonly runId: RunId; readonly piece: EphemeralEvent }[] = [];
  #left = false;
  #wake = (): void => undefined;

  constructor(
    private readonly source: LiveSource,
    signal: AbortSignal,
  ) {
    const poll = setInterval(() => this.#wake(), boundsOf(source).pollMs);
    poll.unref();
    this.#ends.push(() => clearInterval(poll));
    signal.addEventListener('abort', () => this.leave());
    if (signal.aborted) this.leave();
  }

  /** Resolves with the next reason to look, from now on. */
  next(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  add(runId: RunId): void {
    if (this.#heard.has(runId) || this.#left) return;
    this.#heard.add(runId);
    this.#ends.push(
      this.source.listener.subscribe(runId, () => this.#wake()),
      this.source.listener.onPieces(runId, (piece) => {
        if (this.#pieces.length < PIECES) this.#pieces.push({ runId, piece });
        this.#wake();
      }),
    );
  }

  gate(runId: RunId): PieceGate {
    const gate = this.#gates.get(runId) ?? new PieceGate();
    this.#gates.set(runId, gate);
    return gate;
  }

  /** What came meanwhile and may still go out. */
  pieces(): Frame[] {
    const waiting = this.#pieces;
    this.#pieces = [];
    return waiting.flatMap(({ runId, piece }) => (this.gate(runId).admits(piece) ? [ephemeralFrame(runId, piece, new Date())] : []));
  }

  leave(): void {
    this.#left = true;
    for (const end of this.#ends.splice(0)) end();
    this.#wake();
  }
}
