import type { ProjectId, RunId } from '@/lib/domain/id';
import type { RunSettings } from '@/lib/domain/run/settings';
import { readRun } from '@/lib/store/read-run';
import { readSessionWorkspace, type SessionWorkspace } from '@/lib/store/read-session-workspace';
import type { Sql } from '@/lib/store/sql';

export interface RunForm {
  readonly task: string;
  readonly workspace: SessionWorkspace;
  readonly settings: RunSettings;
}

/** What a run was submitted with, to begin another like it; null where the project has none of that id. */
export async function runForm(sql: Sql, ref: { readonly projectId: ProjectId; readonly runId: RunId }): Promise<RunForm | null> {
  const row = await readRun(sql, ref);
  const workspace = row === null ? null : await readSessionWorkspace(sql, row);
  return row === null || workspace === null ? null : { task: row.taskText, workspace, settings: row.settings };
}
