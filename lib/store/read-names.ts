import { z } from 'zod';
import type { Sql } from './sql';

const READ = `SELECT id, name FROM app_user WHERE id = ANY($1)`;

/** What the people behind actors (`user:usr_…`) are called; others are left out. */
export async function readNames(sql: Sql, actors: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const ids = [...new Set(actors)].filter((actor) => actor.startsWith('user:')).map((actor) => actor.slice('user:'.length));
  if (ids.length === 0) return {};
  const rows = await sql.rows(z.object({ id: z.string(), name: z.string() }), READ, ids);
  return Object.fromEntries(rows.map((row) => [`user:${row.id}`, row.name]));
}
