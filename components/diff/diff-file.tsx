'use client';
import { FileMinus, FilePen, FilePlus2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Monospace } from '../text/monospace';
import { RevealedText } from '../text/revealed-text';
import { count } from '../text/amounts';
import { Button } from '../ui/button';
import { classNames } from '../ui/class-names';
import type { DiffFile, DiffHunk, DiffLine } from './parse-diff';

const CHANGE: Readonly<Record<DiffFile['change'], { readonly icon: LucideIcon; readonly word: string }>> = {
  added: { icon: FilePlus2, word: 'new file' },
  removed: { icon: FileMinus, word: 'deleted' },
  modified: { icon: FilePen, word: 'changed' },
};

const FIRST_LINES = 300;

/** One file of a diff. Signs and words say what was added and removed; the colour only repeats it. */
export function DiffFileView({ file }: { readonly file: DiffFile }) {
  const [all, setAll] = useState(false);
  const total = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const hunks = all ? file.hunks : firstLines(file.hunks, FIRST_LINES);
  const { icon: Icon, word } = CHANGE[file.change];
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex flex-wrap items-center gap-x-2 gap-y-0.5 border-b border-line bg-sunken px-3 py-1.5 text-xs">
        <Icon aria-hidden className="size-3.5 shrink-0 text-ink-soft" />
        <Monospace text={file.path === '' ? 'a file' : file.path} className="min-w-0 font-medium text-ink" />
        <span className="text-ink-faint">{word}</span>
        <span className="ml-auto whitespace-nowrap">
          <span className="text-good">+{count(file.added)}</span> <span className="text-bad">−{count(file.removed)}</span>
          <span className="sr-only"> lines</span>
        </span>
      </figcaption>
      <div className="relative overflow-x-auto" tabIndex={0} role="group" aria-label={`Changes of ${file.path}`}>
        <table className="w-full border-collapse font-mono text-xs leading-5">
          <tbody>
            {hunks.map((hunk, index) => (
              <Hunk key={index} hunk={hunk} />
            ))}
          </tbody>
        </table>
      </div>
      {all || total <= FIRST_LINES ? null : (
        <div className="border-t border-line p-2 text-center">
          <Button size="small" onClick={() => setAll(true)}>
            Show all {count(total)} lines
          </Button>
        </div>
      )}
    </figure>
  );
}

function Hunk({ hunk }: { readonly hunk: DiffHunk }) {
  return (
    <>
      {hunk.header === '' ? null : (
        <tr className="bg-sunken text-ink-faint">
          <td colSpan={4} className="px-3 py-0.5 whitespace-pre">
            {hunk.header}
          </td>
        </tr>
      )}
      {hunk.lines.map((line, index) => (
        <Line key={index} line={line} />
      ))}
    </>
  );
}

const LINE: Readonly<Record<DiffLine['kind'], { readonly sign: string; readonly ground: string; readonly ink: string }>> = {
  same: { sign: ' ', ground: '', ink: 'text-ink' },
  added: { sign: '+', ground: 'bg-good-soft', ink: 'text-good' },
  removed: { sign: '−', ground: 'bg-bad-soft', ink: 'text-bad' },
  note: { sign: ' ', ground: '', ink: 'text-ink-faint' },
};

function Line({ line }: { readonly line: DiffLine }) {
  const { sign, ground, ink } = LINE[line.kind];
  return (
    <tr className={ground}>
      <td className="w-px min-w-9 px-1.5 text-right text-ink-faint select-none max-sm:hidden">{line.oldNumber}</td>
      <td className="w-px min-w-9 px-1.5 text-right text-ink-faint select-none">{line.newNumber}</td>
      <td className={classNames('w-px px-1 font-semibold select-none', ink)}>{sign}</td>
      <td className={classNames('pr-3 whitespace-pre', line.kind === 'note' ? 'text-ink-faint italic' : 'text-ink')}>
        <RevealedText text={line.text} kind="prose" />
      </td>
    </tr>
  );
}

function firstLines(hunks: readonly DiffHunk[], most: number): readonly DiffHunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}
