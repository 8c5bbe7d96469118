import { createTwoFilesPatch } from 'diff';
import { cutToBytes } from './cut-text';
import { MAX_DIFF, MAX_DIFF_MS } from './limits';

const CONTEXT_LINES = 3;

/**
 * A unified diff of one text file, at most `MAX_DIFF` bytes; a last line says how
 * much was left out. @param before null for a new file.
 */
export function unifiedDiff(relativePath: string, before: string | null, after: string): string {
  const from = before === null ? '/dev/null' : `a/${relativePath}`;
  const to = `b/${relativePath}`;
  const old = before ?? '';
  if (old === after) return '';
  const minimal = createTwoFilesPatch(from, to, old, after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: MAX_DIFF_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return bounded(minimal ?? `--- ${from}\n+++ ${to}\n${wholeHunk(old, after)}`);
}

/** For texts whose minimal diff takes too long: everything between the common head and tail, in linear time. */
export function wholeHunk(before: string, after: string): string {
  const [old, now] = [splitLines(before), splitLines(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const start = Math.max(0, head - CONTEXT_LINES);
  const trailingLength = Math.min(tail, CONTEXT_LINES);
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const leading = old.slice(start, head);
  const trailing = old.slice(old.length - tail, old.length - tail + trailingLength);
  const count = (middle: number): number => leading.length + middle + trailing.length;
  const range = (length: number): string => `${length === 0 ? start : start + 1},${length}`;
  const lines = [
    ...leading.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...trailing.map((line) => ` ${line}`),
  ];
  const body = lines.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('');
  return `@@ -${range(count(removed.length))} +${range(count(added.length))} @@\n${body}`;
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function bounded(diff: string): string {
  if (Buffer.byteLength(diff) <= MAX_DIFF) return diff;
  // Room for the closing line is taken off first, so that the bound holds for the whole.
  const cut = cutToBytes(diff, MAX_DIFF - 80).text;
  const whole = cut.slice(0, cut.lastIndexOf('\n') + 1);
  return `${whole}[diff cut: ${Buffer.byteLength(diff) - Buffer.byteLength(whole)} more bytes]\n`;
}
