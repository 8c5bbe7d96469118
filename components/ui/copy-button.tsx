'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied: `run id`. */
  readonly what: string;
  /** Shown beside the icon; without it the name is the button's label only. */
  readonly label?: string;
  readonly className?: string;
}

export function CopyButton({ text, what, label, className }: CopyButtonProps) {
  const [result, setResult] = useState<'none' | 'copied' | 'refused'>('none');
  useEffect(() => {
    if (result === 'none') return;
    const timer = setTimeout(() => setResult('none'), 2_000);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('copied');
    } catch {
      setResult('refused');
    }
  };
  return (
    <>
      <Button
        look="quiet"
        size={label === undefined ? 'icon' : 'small'}
        className={className}
        aria-label={label === undefined ? `Copy ${what}` : undefined}
        title={label === undefined ? `Copy ${what}` : undefined}
        onClick={() => void copy()}
      >
        {result === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
        {label}
      </Button>
      <span role="status" className="sr-only">
        {result === 'copied' ? `Copied ${what}` : result === 'refused' ? 'The browser did not allow copying' : ''}
      </span>
    </>
  );
}
