import { classNames } from '../ui/class-names';
import { RevealedText } from './revealed-text';

/** An id, a path or a command within text; it breaks anywhere rather than widen the page. */
export function Monospace({ text, className }: { readonly text: string; readonly className?: string }) {
  return (
    <code className={classNames('font-mono text-[0.92em] [overflow-wrap:anywhere]', className)}>
      <RevealedText text={text} />
    </code>
  );
}
