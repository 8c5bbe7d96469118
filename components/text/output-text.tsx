import { classNames } from '../ui/class-names';
import { RevealedText } from './revealed-text';

/** Output of a program: fixed width, its own scroll in both directions, reachable by keyboard. */
export function OutputText({ text, label, className }: { readonly text: string; readonly label: string; readonly className?: string }) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className={classNames('max-h-96 overflow-auto rounded-md border border-line bg-surface px-3 py-2 font-mono text-xs leading-relaxed whitespace-pre text-ink', className)}
    >
      <RevealedText text={text} kind="prose" />
    </pre>
  );
}
