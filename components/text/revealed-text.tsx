import { reveal } from '@/lib/domain/reveal';

/** A file name, a command, an id: text of others, with what would hide or reorder it made visible. */
export function RevealedText({ text }: { readonly text: string }) {
  return (
    <bdi>
      {reveal(text).map((piece, index) =>
        piece.hidden ? (
          <span key={index} className="mx-px rounded-xs bg-bad-soft px-0.5 text-[0.85em] text-bad" title="a character that would not be seen">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
