import type { ProjectId, RunId, TurnId } from '@/lib/domain/id';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { Sql } from './sql';

/** Sums over the runs of a turn: earlier generations and children, without `exceptRunId`. */
export function turnTotals(
  _sql: Sql,
  _request: { readonly projectId: ProjectId; readonly turnId: TurnId; readonly exceptRunId: RunId | null },
): Promise<OtherTotals> {
  throw new Error('not built yet');
}
