import type { ProjectId } from '@/lib/domain/id';
import { readProjectName } from '@/lib/store/read-project-name';
import type { Sql } from '@/lib/store/sql';

/** What people call the project. */
export const projectName = (sql: Sql, projectId: ProjectId): Promise<string> => readProjectName(sql, projectId);
