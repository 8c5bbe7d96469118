import { z } from 'zod';
import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { Sql } from './sql';

export interface SessionWorkspace {
  readonly kind: 'directory' | 'git';
  /** Path of a directory; address or path of a repository. */
  readonly location: string;
}

const READ = `
SELECT w.kind, w.location FROM session s JOIN workspace w ON w.project_id = s.project_id AND w.id = s.workspace_id
 WHERE s.project_id = $1 AND s.id = $2`;

const row = z.object({ kind: z.enum(['directory', 'git']), location: z.string() });

/** What a session was given to work in. */
export async function readSessionWorkspace(
  sql: Sql,
  { projectId, sessionId }: { readonly projectId: ProjectId; readonly sessionId: SessionId },
): Promise<SessionWorkspace | null> {
  return (await sql.rows(row, READ, projectId, sessionId))[0] ?? null;
}
