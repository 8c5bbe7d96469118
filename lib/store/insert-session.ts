import { z } from 'zod';
import type { ProjectId, SessionId, TaskId, WorkspaceId } from '@/lib/domain/id';
import type { Sql } from './sql';

export interface NewSession {
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
  readonly rootTaskId: TaskId;
  readonly workspaceId: WorkspaceId;
  /** Canonical directory in which its runs act. */
  readonly workspacePath: string;
  /** At which a clone stands; null: the repository's own, or no clone. */
  readonly gitRef: string | null;
  readonly access: 'read_write' | 'read_only';
  readonly model: string;
  readonly saveHistory: boolean;
  readonly createdBy: string;
}

/** Foreign keys are checked at the statement's end, so that one statement makes both. */
const INSERT = `
WITH opened AS (
  INSERT INTO session (id, project_id, workspace_id, workspace_path, access, model, save_history, created_by, git_ref)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10)
)
INSERT INTO task (id, project_id, session_id) VALUES ($9, $2, $1)`;

/** A session and its root task, whose history is the conversation. */
export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  await sql.rows(
    z.never(),
    INSERT,
    session.sessionId,
    session.projectId,
    session.workspaceId,
    session.workspacePath,
    session.access,
    session.model,
    session.saveHistory,
    session.createdBy,
    session.rootTaskId,
    session.gitRef,
  );
}
