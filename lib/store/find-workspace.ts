import { z } from 'zod';
import type { ProjectId, WorkspaceId } from '@/lib/domain/id';
import { id } from './columns';
import type { Sql } from './sql';

/** DO UPDATE, because DO NOTHING returns no row for the one that is there. */
const FIND_OR_INSERT = `
INSERT INTO workspace (id, project_id, kind, location) VALUES ($1, $2, $3, $4)
ON CONFLICT (project_id, kind, location) DO UPDATE SET location = excluded.location
RETURNING id`;

/** The project's workspace of that kind and place, made where there was none. */
export async function findWorkspace(
  sql: Sql,
  workspace: {
    readonly newId: WorkspaceId;
    readonly projectId: ProjectId;
    readonly kind: 'directory' | 'git';
    readonly location: string;
  },
): Promise<WorkspaceId> {
  const [row] = await sql.rows(
    z.object({ id: id<WorkspaceId>() }),
    FIND_OR_INSERT,
    workspace.newId,
    workspace.projectId,
    workspace.kind,
    workspace.location,
  );
  return row?.id ?? workspace.newId;
}
