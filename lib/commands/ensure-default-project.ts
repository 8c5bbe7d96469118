import type { ProjectId } from '@/lib/domain/id';
import { findProject } from '@/lib/store/find-project';
import type { CommandContext } from './context';

/** The project of an installation that has made no other; made at the first call, by whichever process is first. */
export function ensureDefaultProject({ store, newId }: CommandContext): Promise<ProjectId> {
  return findProject(store, newId('prj'));
}
