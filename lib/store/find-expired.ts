import { z } from 'zod';
import type { ProjectId, RunId } from '@/lib/domain/id';
import { id } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

/** In work, or local and not begun: what else bears a lease waits for an answer, and loses nothing by waiting on. */
const EXPIRED = `lease_expires_at < statement_timestamp()
   AND lease_owner IS NOT NULL
   AND (status IN ('running', 'cancelling') OR (status = 'queued' AND dispatch = 'local'))`;

const FIND = `SELECT project_id, id FROM run WHERE ${EXPIRED} ORDER BY lease_expires_at LIMIT $1`;

/**
 * Raises the epoch while taking the row: whoever still believes to hold it is fenced
 * from here on. SKIP LOCKED: several sweepers share the work, and a holder that is
 * writing at this moment is looked at next time.
 */
const TAKE = `
UPDATE run SET lease_epoch = lease_epoch + 1
 WHERE id = (SELECT id FROM run WHERE project_id = $1 AND id = $2 AND ${EXPIRED} FOR NO KEY UPDATE SKIP LOCKED)
RETURNING project_id, id`;

const refRow = z
  .object({ project_id: id<ProjectId>(), id: id<RunId>() })
  .transform((row): RunRef => ({ projectId: row.project_id, runId: row.id }));

/** Runs whose lease has run out by the database's clock, longest first. */
export function findExpired(sql: Sql, limit: number): Promise<readonly RunRef[]> {
  return sql.rows(refRow, FIND, limit);
}

/** Takes an expired run for this transaction; false where another did, or its lease was renewed after all. */
export async function takeExpired(sql: Sql, ref: RunRef): Promise<boolean> {
  return (await sql.rows(refRow, TAKE, ref.projectId, ref.runId)).length > 0;
}
