import { z } from 'zod';
import type { ProjectId } from '@/lib/domain/id';
import { id } from './columns';
import type { Store } from './database';

const OLDEST = `SELECT id FROM project ORDER BY created_at, id LIMIT 1`;
/** Serialises the makers of the first project: a table that is empty has no row to lock. */
const LOCK = `SELECT pg_advisory_xact_lock(5804711235)::text AS locked`;
const INSERT = `INSERT INTO project (id, name) VALUES ($1, 'Default')`;

const projectRow = z.object({ id: id<ProjectId>() });

/** The oldest project, made as `newId` where there is none. */
export async function findProject(store: Pick<Store, 'rows' | 'transaction'>, newId: ProjectId): Promise<ProjectId> {
  const [existing] = await store.rows(projectRow, OLDEST);
  if (existing !== undefined) return existing.id;
  return store.transaction(async (sql) => {
    await sql.rows(z.object({ locked: z.string() }), LOCK);
    const [first] = await sql.rows(projectRow, OLDEST);
    if (first !== undefined) return first.id;
    await sql.rows(z.never(), INSERT, newId);
    return newId;
  });
}
