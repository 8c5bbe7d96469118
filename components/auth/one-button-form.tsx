'use client';
import { useActionState, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';

interface OneButtonFormProps {
  /** @returns why it did not work; where it does, it goes on elsewhere. */
  readonly action: (before: string | null, form: FormData) => Promise<string | null>;
  readonly values: Readonly<Record<string, string>>;
  readonly look?: 'primary' | 'plain';
  readonly children: ReactNode;
}

export function OneButtonForm({ action, values, look = 'primary', children }: OneButtonFormProps) {
  const [message, submit, busy] = useActionState(action, null);
  return (
    <form action={submit} className="grid gap-4">
      {message === null ? null : <Notice role="alert" tone="bad" title={message} />}
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" look={look} busy={busy}>
        {children}
      </Button>
    </form>
  );
}
