import { Notice } from '../ui/notice';
import { CopyButton } from '../ui/copy-button';

interface SecretOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly what: string;
  readonly children: string;
}

/** Something that is shown this one time. */
export function SecretOnce({ title, secret, what, children }: SecretOnceProps) {
  return (
    <Notice tone="good" role="status" title={title}>
      <p>{children}</p>
      <div className="mt-2 flex items-center gap-2 rounded-md bg-sunken p-2">
        <code className="min-w-0 flex-1 font-mono text-xs leading-5 break-all text-ink select-all" data-testid="secret">
          {secret}
        </code>
        <CopyButton text={secret} what={what} label="Copy" />
      </div>
    </Notice>
  );
}
