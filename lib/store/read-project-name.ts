import { z } from 'zod';
import type { ProjectId } from '@/lib/domain/id';
import type { Sql } from './sql';

export async function readProjectName(sql: Sql, projectId: ProjectId): Promise<string> {
  const [row] = await sql.rows(z.object({ name: z.string() }), 'SELECT name FROM project WHERE id = $1', projectId);
  return row?.name ?? '';
}
