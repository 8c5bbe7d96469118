import { reveal, type RevealKind } from '@/lib/domain/reveal';

/** Text of others with what would hide or reorder it made visible: a name, a command, an id; as `prose` anything. */
export function RevealedText({ text, kind = 'name' }: { readonly text: string; readonly kind?: RevealKind }) {
  const pieces = reveal(text, kind).map((piece, index) =>
    piece.hidden ? (
      <span key={index} className="mx-px rounded-xs bg-bad-soft px-0.5 text-[0.85em] text-bad" title="a character that would not be seen">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
  return kind === 'name' ? <bdi>{pieces}</bdi> : <>{pieces}</>;
}
