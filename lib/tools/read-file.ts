import { z } from 'zod';
import type { Tool } from '@/lib/agent/ports';
import { resolvePath } from '@/lib/workspaces/path-rule';
import { readWorkspaceFile } from '@/lib/workspaces/read-file';
import { cutToBytes } from './cut-text';
import { decodeText, describeBinary } from './decode-text';
import { accept, completed, defineTool, failed, refuse } from './define-tool';
import { MAX_FILE_SIZE, MAX_READ_OUTPUT } from './limits';

/** Room for the line that says where the rest is. */
const NOTE_BYTES = 160;

/** Reads a text file as it is: no line numbers, so that what is read can be given to `edit`. */
export function readFile(hidden: readonly string[]): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the workspace, whole or a range of lines, exactly as it is. At most 64 KiB at a time: a last line in brackets then says where to continue. Binary files are named, not shown.',
    effect: 'none',
    schema: z.strictObject({
      path: z.string().describe('file, relative to the workspace'),
      offset: z.int().min(0).default(0).describe('lines to skip; past the end the answer is empty'),
      limit: z.int().min(1).optional().describe('lines at most'),
    }),
    async prepare(args, workspace) {
      const resolved = resolvePath({ root: workspace.root, hidden }, args.path, 'read');
      if (!resolved.ok) return refuse(resolved.code, resolved.message);
      if (resolved.kind === 'missing') return refuse('not_found', `${resolved.relative}: there is no such file`);
      if (resolved.kind === 'directory') return refuse('not_a_file', `${resolved.relative}: is a directory`);
      if (resolved.kind === 'other') return refuse('not_a_file', `${resolved.relative}: is not a regular file`);
      return accept({ path: resolved.relative }, async () => {
        const content = await readWorkspaceFile(workspace.root, resolved, MAX_FILE_SIZE);
        if (!content.ok) return failed(content.code, content.message);
        const decoded = decodeText(content.bytes);
        if (decoded.kind === 'binary') return completed(describeBinary(decoded));
        const { output, truncated } = page(decoded.text, args.offset, args.limit);
        return completed(output, truncated);
      });
    },
  });
}

/** Whole lines while they fit; a single line that does not fit is cut, by bytes. */
function page(text: string, offset: number, limit: number | undefined): { output: string; truncated: boolean } {
  const start = skipLines(text, 0, offset);
  const end = limit === undefined ? text.length : skipLines(text, start, limit);
  const wanted = text.slice(start, end);
  if (Buffer.byteLength(wanted) <= MAX_READ_OUTPUT) return { output: wanted, truncated: false };
  const cut = cutToBytes(wanted, MAX_READ_OUTPUT - NOTE_BYTES).text;
  const lastBreak = cut.lastIndexOf('\n');
  const omitted = (shown: string): number => Buffer.byteLength(wanted) - Buffer.byteLength(shown);
  if (lastBreak < 0) {
    return { output: `${cut}\n[cut inside line ${offset + 1}: ${omitted(cut)} more bytes; the next line is at offset ${offset + 1}]\n`, truncated: true };
  }
  const whole = cut.slice(0, lastBreak + 1);
  const lines = whole.split('\n').length - 1;
  return { output: `${whole}[cut: ${omitted(whole)} more bytes; continue with offset ${offset + lines}]\n`, truncated: true };
}

function skipLines(text: string, from: number, lines: number): number {
  let position = from;
  for (let skipped = 0; skipped < lines; skipped += 1) {
    const next = text.indexOf('\n', position);
    if (next < 0) return text.length;
    position = next + 1;
  }
  return position;
}
