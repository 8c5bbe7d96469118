import { z } from 'zod';
import type { ProjectId, RunId } from '@/lib/domain/id';
import { instant } from './columns';
import type { Sql } from './sql';

export interface RunDiff {
  /** Null where it could not be told. */
  readonly text: string | null;
  readonly truncated: boolean;
}

/** A run that was let go may be driven on: the last boundary's diff counts. */
const STORE = `
INSERT INTO run_diff (run_id, project_id, text, truncated) VALUES ($1, $2, $3, $4)
ON CONFLICT (run_id) DO UPDATE SET text = excluded.text, truncated = excluded.truncated, created_at = now()`;

/** One row for a run that is there; its diff, where one was stored. */
const READ = `
SELECT d.run_id IS NOT NULL AS is_stored, d.text, coalesce(d.truncated, false) AS truncated, d.created_at
  FROM run r LEFT JOIN run_diff d ON d.run_id = r.id
 WHERE r.project_id = $1 AND r.id = $2`;

export interface RunRef {
  readonly projectId: ProjectId;
  readonly runId: RunId;
}

export async function storeRunDiff(sql: Sql, { projectId, runId }: RunRef, diff: RunDiff): Promise<void> {
  await sql.rows(z.never(), STORE, runId, projectId, diff.text, diff.truncated);
}

const row = z
  .object({ is_stored: z.boolean(), text: z.string().nullable(), truncated: z.boolean(), created_at: instant.nullable() })
  .transform((found): (RunDiff & { readonly createdAt: Date }) | 'none' =>
    found.is_stored && found.created_at !== null ? { text: found.text, truncated: found.truncated, createdAt: found.created_at } : 'none',
  );

/** `none`: nothing was stored (yet). null: the project has no such run. */
export async function readRunDiff(sql: Sql, { projectId, runId }: RunRef): Promise<(RunDiff & { readonly createdAt: Date }) | 'none' | null> {
  return (await sql.rows(row, READ, projectId, runId))[0] ?? null;
}
