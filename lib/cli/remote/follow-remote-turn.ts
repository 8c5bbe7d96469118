/**
 * Follows a turn to its rest by the stream of its run. A connection that is cut, or a
 * control plane that restarts, costs nothing: the stream goes on after the last seq
 * that was seen, and the feed takes each event once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { CliError } from '../cli-error';
import { EXIT } from '../exit-code';
import { say, type Shell } from '../shell';
import type { TurnFeed } from '../turn/turn-feed';
import { backoff } from './backoff';
import { away, type ControlPlane } from './control-plane';
import { ControlPlaneError, isRefusal } from './control-plane-error';
import { readMessage } from './stream-message';

/** Three heartbeats: a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
/** So long without any answer, it is given up; the run goes on there. */
const PATIENCE_MS = 300_000;

/** @param signal ends the watching, not the run. */
export async function followRemoteTurn(shell: Shell, plane: ControlPlane, feed: TurnFeed, signal: AbortSignal): Promise<void> {
  let heardAt = performance.now();
  let failures = 0;
  let told = false;
  const heard = (): void => {
    heardAt = performance.now();
  };
  const isOver = (): boolean => feed.atRest || signal.aborted;
  while (!isOver()) {
    const { runId, seq } = feed;
    try {
      await readStream(plane, feed, signal, heard);
    } catch (error) {
      if (isOver()) return;
      if (!(error instanceof ControlPlaneError)) throw error;
      if (isRefusal(error) || performance.now() - heardAt > PATIENCE_MS) throw lost(error, runId, shell);
      // A server that stops ends its streams first, and only then does nobody answer.
      if (!told) say(shell, `pilothouse: ${error.message}; it is tried again, and nothing is missed`);
      told = true;
    }
    if (feed.runId !== runId) continue;
    const progressed = feed.seq > seq;
    failures = progressed ? 0 : failures + 1;
    told &&= !progressed;
    if (!isOver()) await sleep(backoff(failures), undefined, { signal }).catch(() => undefined);
  }
}

/** Resolves when there is no more to come of this stream: the turn rests, goes on as another run, or the connection ended. */
async function readStream(plane: ControlPlane, feed: TurnFeed, signal: AbortSignal, heard: () => void): Promise<void> {
  const { runId } = feed;
  const silent = new AbortController();
  const body = await plane.openStream(runId, feed.seq, AbortSignal.any([signal, silent.signal]));
  const timer = setTimeout(() => silent.abort(), SILENCE_MS);
  const parser = createParser({ onEvent: ({ event, data }) => (event === undefined ? take(feed, data) : obey(event)) });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      timer.refresh();
      heard();
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (feed.atRest || feed.runId !== runId) return;
    }
  } catch (error) {
    throw error instanceof CliError ? error : away(plane.url, error);
  } finally {
    clearTimeout(timer);
  }
}

function take(feed: TurnFeed, data: string): void {
  const message = readMessage(data);
  if (message === null) throw new CliError('the control plane sends what is no event of this version', EXIT.unavailable);
  if (message.kind === 'other' || message.runId !== feed.runId) return;
  if (message.kind === 'event') feed.take(feed.runId, [message.event]);
  else feed.ephemeral(feed.runId, message.piece);
}

function obey(signal: string): void {
  if (signal !== 'stream.revoked') return;
  throw new ControlPlaneError({ kind: 'refused', status: 401, code: 'unauthenticated' }, 'the right to watch this run was withdrawn');
}

/** Something was started, and how it ends is not known here: no exit code may say anything of the run. */
export function lost(error: ControlPlaneError, runId: string, { program }: Pick<Shell, 'program'>): CliError {
  return new CliError(`${error.message}; ${runId} goes on there`, EXIT.unavailable, `See it:  ${program} show ${runId}`);
}
