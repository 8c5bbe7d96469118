import { z } from 'zod';
import type { CallId, ProjectId, TurnId } from '@/lib/domain/id';
import { id } from './columns';
import type { Sql } from './sql';

const READ = `
SELECT t.id FROM run r JOIN tool_call t ON t.run_id = r.id
 WHERE r.project_id = $1 AND r.turn_id = $2 AND t.status = 'unknown' AND t.effect <> 'none'
 ORDER BY t.id`;

/** Calls of a turn of which nobody knows whether they had their effect: they hold the session back. */
export async function unreconciledCalls(
  sql: Sql,
  turn: { readonly projectId: ProjectId; readonly turnId: TurnId },
): Promise<readonly CallId[]> {
  const rows = await sql.rows(z.object({ id: id<CallId>() }), READ, turn.projectId, turn.turnId);
  return rows.map((row) => row.id);
}
