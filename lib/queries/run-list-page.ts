import { readNames } from '@/lib/store/read-names';
import type { Sql } from '@/lib/store/sql';
import { listRuns, type ListRuns } from './list-runs';
import type { RunView } from './run-view';

export interface RunListPage {
  readonly items: readonly RunView[];
  readonly nextCursor: string | null;
  /** Names of the people behind `created_by`. */
  readonly names: Readonly<Record<string, string>>;
}

/** A page of the list of runs, with the names of those who submitted them; null for a cursor that no page gave. */
export async function runListPage(sql: Sql, request: ListRuns): Promise<RunListPage | null> {
  const page = await listRuns(sql, request);
  if (page === null) return null;
  return { items: page.items, nextCursor: page.next_cursor, names: await readNames(sql, page.items.map((run) => run.created_by)) };
}
