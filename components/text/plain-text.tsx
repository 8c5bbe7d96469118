import { classNames } from '../ui/class-names';
import { RevealedText } from './revealed-text';
import { splitFences } from './split-fences';

/**
 * What a model, a tool or a person wrote: text and nothing else. White space is kept;
 * what stands between code fences is set in a fixed width. No Markdown, no links: what
 * others write must not become part of the page.
 */
export function PlainText({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <div dir="auto" className={classNames('min-w-0 text-sm leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap', className)}>
      {splitFences(text).map((piece, index) =>
        piece.kind === 'code' ? (
          <pre key={index} dir="ltr" className="my-1 overflow-x-auto rounded-md border border-line bg-surface px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre" tabIndex={0}>
            <RevealedText text={piece.text} kind="prose" />
          </pre>
        ) : (
          <span key={index}>
            <RevealedText text={piece.text} kind="prose" />
          </span>
        ),
      )}
    </div>
  );
}
