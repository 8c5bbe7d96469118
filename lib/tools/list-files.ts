import { z } from 'zod';
import type { Tool } from '@/lib/agent/ports';
import { resolvePath } from '@/lib/workspaces/path-rule';
import { accept, completed, defineTool, failed, refuse } from './define-tool';
import { MAX_READ_OUTPUT } from './limits';
import { SKIPPED_DIRECTORIES, startWalk, walkFiles } from './walk-files';
import type { WalkedEntry } from './walk-files';

const SUFFIX: Record<WalkedEntry['kind'], string> = {
  file: '',
  directory: '/',
  skipped_directory: '/ (not listed)',
  unreadable_directory: '/ (cannot be read)',
  link: ' (symbolic link)',
  other: ' (not a regular file)',
};

const DEFAULT_LINES = 1_000;

/** Lists a directory and what is below it, a page of lines at a time. */
export function listFiles(hidden: readonly string[]): Tool {
  return defineTool({
    name: 'list_files',
    description:
      `Lists the files and directories below a directory of the workspace, sorted, one path a line. ` +
      `What lies in ${[...SKIPPED_DIRECTORIES].join(' and ')} is not listed unless path names it. Links are named, not followed.`,
    effect: 'none',
    schema: z.strictObject({
      path: z.string().default('.').describe('directory, relative to the workspace'),
      offset: z.int().min(0).default(0).describe('lines to skip; past the end the answer is empty'),
      limit: z.int().min(1).max(10_000).default(DEFAULT_LINES).describe('lines at most'),
    }),
    async prepare(args, workspace) {
      const rule = { root: workspace.root, hidden };
      const resolved = resolvePath(rule, args.path, 'read');
      if (!resolved.ok) return refuse(resolved.code, resolved.message);
      if (resolved.kind === 'missing') return refuse('not_found', `${resolved.relative}: there is no such directory`);
      if (resolved.kind !== 'directory') return refuse('not_a_directory', `${resolved.relative}: is not a directory`);
      return accept({ path: resolved.relative }, async (context) => {
        const walk = startWalk(context.signal);
        const lines: string[] = [];
        let seen = 0;
        let bytes = 0;
        let more = false;
        const walker = walkFiles(rule, resolved.absolute, walk);
        for (;;) {
          const step = await walker.next();
          if (step.done === true) {
            if (step.value !== null) return failed(step.value.code, step.value.message);
            break;
          }
          seen += 1;
          if (seen <= args.offset) continue;
          const line = `${step.value.relative}${SUFFIX[step.value.kind]}\n`;
          bytes += Buffer.byteLength(line);
          if (lines.length >= args.limit || bytes > MAX_READ_OUTPUT) {
            more = true;
            break;
          }
          lines.push(line);
        }
        if (context.signal.aborted) return failed('aborted', 'stopped while listing');
        const notes: string[] = [];
        if (more) notes.push(`[more; continue with offset ${args.offset + lines.length}]\n`);
        if (walk.remaining <= 0) notes.push('[stopped: too many entries; list a deeper directory]\n');
        return completed(lines.join('') + notes.join(''), notes.length > 0);
      });
    },
  });
}
