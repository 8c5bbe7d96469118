import { z } from 'zod';
import type { ProjectId, SessionId, TurnId } from '@/lib/domain/id';
import { integer } from './columns';
import type { Sql } from './sql';

/**
 * The baseline is taken by the statement that makes the turn: a count raised before it
 * belongs to an earlier turn, one raised after it to this one (domain.md §7).
 */
const INSERT = `
INSERT INTO turn (id, project_id, session_id, number, baseline, opened_by)
SELECT $1, $2, $3,
       coalesce((SELECT max(number) FROM turn WHERE session_id = $3), 0) + 1,
       coalesce((SELECT jsonb_object_agg(id, write_count) FROM task WHERE session_id = $3), '{}'::jsonb),
       $4
RETURNING number`;

/**
 * The next turn of a session, whose row the caller holds.
 * @returns its number.
 */
export async function insertTurn(
  sql: Sql,
  turn: { readonly projectId: ProjectId; readonly sessionId: SessionId; readonly turnId: TurnId; readonly openedBy: string },
): Promise<number> {
  const [row] = await sql.rows(z.object({ number: integer }), INSERT, turn.turnId, turn.projectId, turn.sessionId, turn.openedBy);
  if (row === undefined) throw new Error('an insert returned no row');
  return row.number;
}
