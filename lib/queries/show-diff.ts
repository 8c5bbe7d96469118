import { readRunDiff, type RunRef } from '@/lib/store/run-diff';
import type { Sql } from '@/lib/store/sql';

/**
 * What a run had changed in its workspace at its last boundary, against the start of
 * its turn.
 * - `stored`: as far as it is kept; an empty text: nothing differed.
 * - `none`: no boundary after an effect yet.
 * - `unavailable`: it could not be told.
 */
export type DiffView =
  | { readonly state: 'stored'; readonly diff: string; readonly truncated: boolean; readonly created_at: string }
  | { readonly state: 'none' }
  | { readonly state: 'unavailable'; readonly created_at: string };

/** null where the project has no such run. */
export async function showDiff(sql: Sql, run: RunRef): Promise<DiffView | null> {
  const found = await readRunDiff(sql, run);
  if (found === null) return null;
  if (found === 'none') return { state: 'none' };
  const created_at = found.createdAt.toISOString();
  if (found.text === null) return { state: 'unavailable', created_at };
  return { state: 'stored', diff: found.text, truncated: found.truncated, created_at };
}
