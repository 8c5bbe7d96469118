import { z } from 'zod';
import type { Tool, ToolOutcome } from '@/lib/agent/ports';
import { readWorkspaceFile } from '@/lib/workspaces/read-file';
import { replaceFile } from '@/lib/workspaces/replace-file';
import { resolvePath } from '@/lib/workspaces/path-rule';
import { decodeText } from './decode-text';
import { accept, defineTool, failed, refuse } from './define-tool';
import { MAX_FILE_SIZE, MAX_WRITE_SIZE } from './limits';
import { hasRedactionMarker, REDACTED_TEXT_MESSAGE } from './redaction-marker';
import { unifiedDiff } from './unified-diff';

/** Creates a file or replaces its whole content; missing directories are made. */
export function writeFile(hidden: readonly string[]): Tool {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole text file of the workspace: creates it (and missing directories), or replaces its content at once. At most 1 MiB. Use edit to change a part.',
    effect: 'workspace',
    countsAsWrite: true,
    schema: z.strictObject({
      path: z.string().describe('file, relative to the workspace'),
      content: z.string().describe('the complete new content'),
    }),
    async prepare(args, workspace) {
      if (workspace.access === 'read_only') return refuse('read_only', 'the workspace is read-only');
      if (hasRedactionMarker(args.content)) return refuse('redacted_text', REDACTED_TEXT_MESSAGE);
      const bytes = Buffer.from(args.content);
      if (bytes.length > MAX_WRITE_SIZE) return refuse('too_large', `content: ${bytes.length} bytes, more than ${MAX_WRITE_SIZE}`);
      const resolved = resolvePath({ root: workspace.root, hidden }, args.path, 'write');
      if (!resolved.ok) return refuse(resolved.code, resolved.message);
      if (resolved.kind === 'directory') return refuse('not_a_file', `${resolved.relative}: is a directory`);
      if (resolved.kind === 'other') return refuse('not_a_file', `${resolved.relative}: is not a regular file`);
      return accept({ path: resolved.relative }, async (context): Promise<ToolOutcome> => {
        const before = resolved.kind === 'missing' ? null : await readWorkspaceFile(workspace.root, resolved, MAX_FILE_SIZE);
        if (before !== null && !before.ok) return failed(before.code, before.message);
        if (before !== null && bytes.equals(before.bytes)) {
          // Nothing is written, and the empty list says so to whoever counts.
          return { kind: 'completed', output: `${resolved.relative} already had exactly this content`, truncated: false, diff: '', changedPaths: [] };
        }
        const replaced = await replaceFile(workspace.root, resolved, {
          bytes,
          expected: before?.stats ?? null,
          signal: context.signal,
        });
        if (!replaced.ok) return failed(replaced.code, replaced.message);
        const old = before === null ? null : decodeText(before.bytes);
        return {
          kind: 'completed',
          output: `${before === null ? 'created' : 'replaced'} ${resolved.relative}: ${bytes.length} bytes`,
          truncated: false,
          changedPaths: [resolved.relative],
          ...(old?.kind === 'binary' ? {} : { diff: unifiedDiff(resolved.relative, old?.text ?? null, args.content) }),
        };
      });
    },
  });
}
