import { z } from 'zod';
import type { ProjectId, SessionId } from '@/lib/domain/id';
import type { Sql } from './sql';

export interface CloneSource {
  readonly repository: string;
  readonly ref: string | null;
}

const READ = `
SELECT w.location, s.git_ref
  FROM session s JOIN workspace w ON w.project_id = s.project_id AND w.id = s.workspace_id
 WHERE s.project_id = $1 AND s.id = $2 AND w.kind = 'git'`;

const row = z.object({ location: z.string(), git_ref: z.string().nullable() });

/** What a session's workspace is cloned from; null where it is a directory that somebody else made. */
export async function readCloneSource(
  sql: Sql,
  session: { readonly projectId: ProjectId; readonly sessionId: SessionId },
): Promise<CloneSource | null> {
  const [found] = await sql.rows(row, READ, session.projectId, session.sessionId);
  return found === undefined ? null : { repository: found.location, ref: found.git_ref };
}
