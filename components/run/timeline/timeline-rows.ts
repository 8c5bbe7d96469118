/** A timeline as a flat list of rows: what a list can count, measure and jump to. Pure. */
import { isFailure, type TimelineGroup, type TimelineItem } from './timeline-item';

export type TimelineRowItem =
  | { readonly kind: 'round'; readonly key: string; readonly seq: number; readonly number: number | null }
  | { readonly kind: 'item'; readonly key: string; readonly seq: number; readonly item: TimelineItem };

export interface RowOptions {
  /** Number of the first round in sight; null where that is not known. */
  readonly firstRound: number | null;
  readonly failedOnly: boolean;
  readonly descending: boolean;
}

/**
 * A round is a settled request and what it proposed; attempts before it belong to it.
 * Whole rounds are reversed, not the rows within: a round is read from its beginning.
 */
export function timelineRows(groups: readonly TimelineGroup[], { firstRound, failedOnly, descending }: RowOptions): readonly TimelineRowItem[] {
  let round = firstRound;
  let begins = true;
  const rounds: TimelineRowItem[][] = [];
  for (const { key, request, items } of groups) {
    const all: readonly TimelineItem[] = request === null ? items : [request, ...items];
    const rows = all
      .filter((item) => !failedOnly || isFailure(item))
      .map((item): TimelineRowItem => ({ kind: 'item', key: `${item.kind}-${item.seq}`, seq: item.seq, item }));
    if (request === null) rounds.push(rows);
    else if (begins) rounds.push([{ kind: 'round', key: `round-${key}`, seq: request.seq, number: round }, ...rows]);
    else rounds.at(-1)?.push(...rows);
    if (request !== null) {
      begins = request.response !== null;
      if (begins && round !== null) round += 1;
    }
  }
  // A head alone says nothing.
  const told = rounds.filter((rows) => rows.some((row) => row.kind === 'item'));
  return (descending ? told.toReversed() : told).flat();
}
