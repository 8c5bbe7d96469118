/** A unified diff as files, hunks and lines. Pure; total: what is no diff becomes notes, so that nothing is hidden. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  readonly text: string;
  readonly oldNumber: number | null;
  readonly newNumber: number | null;
}

export interface DiffHunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'modified';
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Draft {
  from: string;
  to: string;
  hunks: { header: string; lines: DiffLine[] }[];
}

export function parseDiff(text: string): readonly DiffFile[] {
  const files: Draft[] = [];
  let old = 0;
  let now = 0;
  // Lines that a hunk still owes: until then `--- x` is a removed line and no header.
  let owedOld = 0;
  let owedNew = 0;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const file = (): Draft => {
    const last = files.at(-1);
    if (last !== undefined) return last;
    const first: Draft = { from: '', to: '', hunks: [] };
    files.push(first);
    return first;
  };
  const put = (line: DiffLine): void => {
    const { hunks } = file();
    if (hunks.length === 0) hunks.push({ header: '', lines: [] });
    hunks.at(-1)?.lines.push(line);
  };
  const note = (content: string): void => put({ kind: 'note', text: content, oldNumber: null, newNumber: null });

  for (const line of lines) {
    if (owedOld > 0 || owedNew > 0) {
      const sign = line[0];
      const content = line.slice(1);
      if (sign === '+' && owedNew > 0) {
        put({ kind: 'added', text: content, oldNumber: null, newNumber: now++ });
        owedNew -= 1;
        continue;
      }
      if (sign === '-' && owedOld > 0) {
        put({ kind: 'removed', text: content, oldNumber: old++, newNumber: null });
        owedOld -= 1;
        continue;
      }
      if (sign === ' ' || line === '') {
        put({ kind: 'same', text: content, oldNumber: old++, newNumber: now++ });
        owedOld -= 1;
        owedNew -= 1;
        continue;
      }
      if (sign === '\\') {
        note(content.trim());
        continue;
      }
      // Cut in the middle.
      owedOld = 0;
      owedNew = 0;
    }
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      old = Number(hunk[1]);
      now = Number(hunk[3]);
      owedOld = Number(hunk[2] ?? 1);
      owedNew = Number(hunk[4] ?? 1);
      file().hunks.push({ header: line, lines: [] });
    } else if (line.startsWith('diff --git ')) {
      const paths = /^diff --git a\/(.*) b\/(.*)$/.exec(line);
      files.push({ from: paths?.[1] ?? '', to: paths?.[2] ?? line.slice('diff --git '.length), hunks: [] });
    } else if (line.startsWith('--- ')) {
      if (files.length === 0 || file().hunks.length > 0) files.push({ from: '', to: '', hunks: [] });
      file().from = named(line.slice(4), 'a/');
    } else if (line.startsWith('+++ ')) {
      file().to = named(line.slice(4), 'b/');
    } else if (line.startsWith('new file mode')) {
      file().from = NOTHING;
    } else if (line.startsWith('deleted file mode')) {
      file().to = NOTHING;
    } else if (line.startsWith('\\')) {
      note(line.slice(1).trim());
    } else if (!/^(index |old mode |new mode |similarity index |rename )/.test(line)) {
      note(line);
    }
  }
  return files.map(finished);
}

const NOTHING = '/dev/null';

function named(text: string, prefix: string): string {
  const path = unquoted(text.split('\t')[0] ?? text);
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

/** git quotes unusual names as C does, byte by byte: `"invoice\342\200\256fdp.exe"`. */
function unquoted(path: string): string {
  const inside = /^"(.*)"$/.exec(path)?.[1];
  if (inside === undefined) return path;
  const bytes: number[] = [];
  for (const [piece, octal, escape] of inside.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(escape === undefined ? piece : (ESCAPES[escape] ?? piece)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

function finished({ from, to, hunks }: Draft): DiffFile {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path: to === NOTHING || to === '' ? from : to,
    change: from === NOTHING ? 'added' : to === NOTHING ? 'removed' : 'modified',
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length,
    hunks,
  };
}
