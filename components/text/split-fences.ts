export interface TextPiece {
  readonly kind: 'prose' | 'code';
  readonly text: string;
}

const FENCE = /^ {0,3}```/;

/** Text in its order, parted at lines that begin with a code fence; an open fence holds to the end, as in a stream. */
export function splitFences(text: string): readonly TextPiece[] {
  if (!text.includes('```')) return [{ kind: 'prose', text }];
  const pieces: TextPiece[] = [];
  let kind: TextPiece['kind'] = 'prose';
  let lines: string[] = [];
  const close = (): void => {
    if (lines.length > 0) pieces.push({ kind, text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (!FENCE.test(line)) {
      lines.push(line);
      continue;
    }
    close();
    kind = kind === 'prose' ? 'code' : 'prose';
  }
  close();
  return pieces;
}
