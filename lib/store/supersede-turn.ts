import { z } from 'zod';
import type { ProjectId, TurnId } from '@/lib/domain/id';
import type { Sql } from './sql';

const SUPERSEDE = `
UPDATE turn SET superseded_at = statement_timestamp() WHERE project_id = $1 AND id = $2 AND superseded_at IS NULL`;

/** A new message closes a turn that was left open: it is never resumed. */
export async function supersedeTurn(sql: Sql, turn: { readonly projectId: ProjectId; readonly turnId: TurnId }): Promise<void> {
  await sql.rows(z.never(), SUPERSEDE, turn.projectId, turn.turnId);
}
