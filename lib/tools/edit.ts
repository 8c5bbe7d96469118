import { z } from 'zod';
import type { Tool, ToolOutcome } from '@/lib/agent/ports';
import { readWorkspaceFile } from '@/lib/workspaces/read-file';
import { replaceFile } from '@/lib/workspaces/replace-file';
import { resolvePath } from '@/lib/workspaces/path-rule';
import { decodeText, describeBinary } from './decode-text';
import { accept, defineTool, failed, refuse } from './define-tool';
import { MAX_FILE_SIZE, MAX_WRITE_SIZE } from './limits';
import { hasRedactionMarker, REDACTED_TEXT_MESSAGE } from './redaction-marker';
import { replaceText } from './replace-text';
import { unifiedDiff } from './unified-diff';

/** Replaces one exact piece of a text file; everything else in it stays byte for byte. */
export function edit(hidden: readonly string[]): Tool {
  return defineTool({
    name: 'edit',
    description:
      'Replaces old_text by new_text in a text file of the workspace. old_text must occur exactly once, spaces and line breaks included, unless replace_all is true. The line endings of the file are kept.',
    effect: 'workspace',
    countsAsWrite: true,
    schema: z.strictObject({
      path: z.string().describe('file, relative to the workspace'),
      old_text: z.string().describe('the exact text to replace; not empty'),
      new_text: z.string().describe('what stands there afterwards; may be empty'),
      replace_all: z.boolean().default(false).describe('replace every occurrence'),
    }),
    async prepare(args, workspace) {
      if (workspace.access === 'read_only') return refuse('read_only', 'the workspace is read-only');
      if (args.old_text === '') return refuse('empty_old_text', 'old_text is empty; use write_file for a new file');
      if (args.old_text === args.new_text) return refuse('no_change', 'old_text and new_text are the same');
      if (hasRedactionMarker(args.new_text)) return refuse('redacted_text', REDACTED_TEXT_MESSAGE);
      if (Buffer.byteLength(args.new_text) > MAX_WRITE_SIZE) return refuse('too_large', `new_text: more than ${MAX_WRITE_SIZE} bytes`);
      const resolved = resolvePath({ root: workspace.root, hidden }, args.path, 'write');
      if (!resolved.ok) return refuse(resolved.code, resolved.message);
      if (resolved.kind === 'missing') return refuse('not_found', `${resolved.relative}: there is no such file`);
      if (resolved.kind === 'directory') return refuse('not_a_file', `${resolved.relative}: is a directory`);
      if (resolved.kind === 'other') return refuse('not_a_file', `${resolved.relative}: is not a regular file`);
      return accept({ path: resolved.relative }, async (context): Promise<ToolOutcome> => {
        const before = await readWorkspaceFile(workspace.root, resolved, MAX_FILE_SIZE);
        if (!before.ok) return failed(before.code, before.message);
        const decoded = decodeText(before.bytes);
        if (decoded.kind === 'binary') return failed('binary_file', `${resolved.relative}: ${describeBinary(decoded)}`);
        const edited = replaceText(decoded.text, args.old_text, args.new_text, args.replace_all, MAX_FILE_SIZE);
        if (!edited.ok) return failed(edited.code, edited.message);
        const bytes = Buffer.from(edited.text);
        const replaced = await replaceFile(workspace.root, resolved, { bytes, expected: before.stats, signal: context.signal });
        if (!replaced.ok) return failed(replaced.code, replaced.message);
        return {
          kind: 'completed',
          output: `edited ${resolved.relative}: ${edited.count} ${edited.count === 1 ? 'replacement' : 'replacements'}`,
          truncated: false,
          diff: unifiedDiff(resolved.relative, decoded.text, edited.text),
          changedPaths: [resolved.relative],
        };
      });
    },
  });
}
