import type { Frame } from '../frame';
import type { Frames, Outcome } from './watch-run';

export interface Source {
  readonly frames: Frames;
  /** Said when these frames have come to their end. */
  readonly ended: () => readonly Frame[];
}

type Arrived = { readonly source: Source } & (
  | { readonly kind: 'frames'; readonly frames: readonly Frame[] }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'failure'; readonly error: unknown }
);

/**
 * What any of the sources says, as it comes. Ends when all have ended, or when one was
 * stopped: then no reader may wait for it. Each source is asked again only when what it
 * said was taken.
 *
 * Not `Promise.race`: it leaves a reaction behind on every promise that lost, and a quiet
 * source loses for hours.
 */
export async function* merge(sources: readonly Source[]): Frames {
  const arrived: Arrived[] = [];
  let wake = (): void => undefined;
  const arrive = (one: Arrived): void => {
    arrived.push(one);
    wake();
  };
  const ask = (source: Source): void => {
    source.frames.next().then(
      ({ done, value }) => arrive(done === true ? { source, kind: 'outcome', outcome: value } : { source, kind: 'frames', frames: value }),
      (error: unknown) => arrive({ source, kind: 'failure', error }),
    );
  };
  sources.forEach(ask);
  for (let open = sources.length; open > 0; ) {
    if (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const batch = arrived.splice(0);
    const said = batch.flatMap(saidBy);
    if (said.length > 0) yield said;
    for (const one of batch) {
      if (one.kind === 'failure') throw one.error;
      if (one.kind === 'frames') ask(one.source);
      else if (one.outcome === 'stopped') return 'stopped';
      else open -= 1;
    }
  }
  return 'ended';
}

function saidBy(one: Arrived): readonly Frame[] {
  if (one.kind === 'frames') return one.frames;
  return one.kind === 'outcome' && one.outcome === 'ended' ? one.source.ended() : [];
}
