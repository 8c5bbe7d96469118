import type { ProjectId } from '@/lib/domain/id';
import type { CommandContext } from './context';

/** The project of an installation that has made no other; made at the first call, by whichever process is first. */
export function ensureDefaultProject(_context: CommandContext): Promise<ProjectId> {
  throw new Error('not built yet');
}
