import path from 'node:path';
import { z } from 'zod';
import type { Tool, ToolOutcome } from '@/lib/agent/ports';
import { resolvePath } from '@/lib/workspaces/path-rule';
import type { PathRule, ResolvedPath } from '@/lib/workspaces/path-rule';
import { readWorkspaceFile } from '@/lib/workspaces/read-file';
import { cutToBytes } from './cut-text';
import { decodeText } from './decode-text';
import { accept, completed, defineTool, failed, refuse } from './define-tool';
import { MAX_FILE_SIZE, MAX_READ_OUTPUT, MAX_SEARCH_MS } from './limits';
import { startLineSearch } from './search-worker';
import type { LineSearch } from './search-worker';
import { SKIPPED_DIRECTORIES, startWalk, walkFiles } from './walk-files';
import type { Walk } from './walk-files';

const MAX_SHOWN_LINE = 400;

/** Finds lines by a regular expression, within bounds of time, files and output. */
export function searchFiles(hidden: readonly string[], timeoutMs: number = MAX_SEARCH_MS): Tool {
  return defineTool({
    name: 'search_files',
    description:
      `Finds the lines that match a JavaScript regular expression, in a file or below a directory of the workspace: path:line:text, sorted by path. ` +
      `Binary files, files over 10 MiB, links, and what lies in ${[...SKIPPED_DIRECTORIES].join(' and ')} are not searched unless path names the directory.`,
    effect: 'none',
    schema: z.strictObject({
      pattern: z.string().min(1).max(1_000).describe('regular expression, matched line by line'),
      path: z.string().default('.').describe('file or directory, relative to the workspace'),
      ignore_case: z.boolean().default(false),
      offset: z.int().min(0).default(0).describe('matches to skip; past the end the answer is empty'),
      limit: z.int().min(1).max(2_000).default(200).describe('matches at most'),
    }),
    async prepare(args, workspace) {
      const pattern = compile(args.pattern, args.ignore_case);
      if (pattern === null) return refuse('invalid_arguments', 'pattern: is not a valid regular expression');
      const rule = { root: workspace.root, hidden };
      const resolved = resolvePath(rule, args.path, 'read');
      if (!resolved.ok) return refuse(resolved.code, resolved.message);
      if (resolved.kind === 'missing') return refuse('not_found', `${resolved.relative}: there is no such file or directory`);
      if (resolved.kind === 'other') return refuse('not_a_file', `${resolved.relative}: is not a regular file`);
      return accept({ path: resolved.relative }, async (context) => {
        const lines = startLineSearch(pattern, timeoutMs, context.signal);
        try {
          const found = await collect(rule, resolved, startWalk(context.signal), lines, args.offset + args.limit + 1);
          if (context.signal.aborted) return failed('aborted', 'stopped while searching');
          return found.ok ? render(found, args.offset, args.limit) : failed(found.code, found.message);
        } finally {
          await lines.close();
        }
      });
    },
  });
}

/** The Unicode mode where the pattern allows it; old escapes such as `\-` are valid only without. */
function compile(source: string, ignoreCase: boolean): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, ignoreCase ? `${flags}i` : flags);
    } catch {
      // Tried in the other mode, then refused.
    }
  }
  return null;
}

interface Found {
  readonly ok: true;
  readonly matches: string[];
  timedOut: boolean;
  tooMany: boolean;
  skippedDirectories: number;
  notText: number;
  unreadable: number;
}

async function collect(
  rule: PathRule,
  start: ResolvedPath,
  walk: Walk,
  lines: LineSearch,
  wanted: number,
): Promise<Found | { readonly ok: false; readonly code: string; readonly message: string }> {
  const found: Found = { ok: true, matches: [], timedOut: false, tooMany: false, skippedDirectories: 0, notText: 0, unreadable: 0 };
  if (start.kind === 'file') {
    const refusal = await searchOne(rule, start, lines, wanted, found);
    return refusal ?? found;
  }
  const walker = walkFiles(rule, start.absolute, walk);
  while (!found.timedOut && found.matches.length < wanted) {
    const step = await walker.next();
    if (step.done === true) {
      if (step.value !== null) return step.value;
      break;
    }
    const { kind, absolute, relative } = step.value;
    if (kind === 'skipped_directory') found.skippedDirectories += 1;
    if (kind === 'unreadable_directory') found.unreadable += 1;
    if (kind !== 'file') continue;
    const refusal = await searchOne(rule, { ok: true, absolute, relative, kind, missing: [] }, lines, wanted, found);
    if (refusal !== null) found[refusal.code === 'too_large' ? 'notText' : 'unreadable'] += 1;
  }
  found.tooMany = walk.remaining <= 0;
  return found;
}

async function searchOne(rule: PathRule, file: ResolvedPath, lines: LineSearch, wanted: number, found: Found) {
  const content = await readWorkspaceFile(rule.root, file, MAX_FILE_SIZE);
  if (!content.ok) return content;
  const decoded = decodeText(content.bytes);
  if (decoded.kind === 'binary') {
    found.notText += 1;
    return null;
  }
  const hits = await lines.search(decoded.text, wanted - found.matches.length);
  if (hits === null) found.timedOut = true;
  const name = file.relative.split(path.sep).join('/');
  for (const hit of hits ?? []) found.matches.push(`${name}:${hit.line}:${shorten(hit.text)}\n`);
  return null;
}

function shorten(line: string): string {
  const cut = cutToBytes(line, MAX_SHOWN_LINE);
  return cut.omittedBytes === 0 ? cut.text : `${cut.text} […]`;
}

function render(found: Found, offset: number, limit: number): ToolOutcome {
  const shown: string[] = [];
  let bytes = 0;
  for (const match of found.matches.slice(offset, offset + limit)) {
    bytes += Buffer.byteLength(match);
    // Room is left for the notes.
    if (bytes > MAX_READ_OUTPUT - 512) break;
    shown.push(match);
  }
  const more = found.matches.length > offset + shown.length;
  const cutShort = more || found.timedOut || found.tooMany;
  if (shown.length === 0 && offset > 0 && !cutShort) return completed('');
  const notes: string[] = [];
  if (more) notes.push(`more matches; continue with offset ${offset + shown.length}`);
  if (found.timedOut) notes.push('stopped: the time of a search is used up, later files were not searched; use a simpler pattern or a narrower path');
  if (found.tooMany) notes.push('stopped: too many entries; search a deeper directory');
  if (found.skippedDirectories > 0) notes.push(`${found.skippedDirectories} directories not searched (${[...SKIPPED_DIRECTORIES].join(', ')})`);
  if (found.notText > 0) notes.push(`${found.notText} files not searched (binary or too large)`);
  if (found.unreadable > 0) notes.push(`${found.unreadable} files or directories could not be read`);
  const head = shown.length === 0 && !cutShort ? 'no matches\n' : shown.join('');
  return completed(head + notes.map((note) => `[${note}]\n`).join(''), cutShort);
}
