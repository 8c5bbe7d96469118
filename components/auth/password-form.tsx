'use client';
import { useActionState } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Notice } from '../ui/notice';
import { TextInput } from '../ui/text-input';

export interface SignInState {
  readonly email: string;
  readonly message: string | null;
}

interface PasswordFormProps {
  readonly action: (before: SignInState, form: FormData) => Promise<SignInState>;
  readonly callbackUrl: string;
  readonly message: string | null;
}

/** Works without JavaScript too; what was typed into the address stays after a refusal. */
export function PasswordForm({ action, callbackUrl, message }: PasswordFormProps) {
  const [state, submit, busy] = useActionState(action, { email: '', message });
  return (
    <form action={submit} className="grid gap-4">
      {state.message === null ? null : <Notice role="alert" tone="bad" title={state.message} />}
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      <Field id="email" label="E-mail address">
        {(ids) => <TextInput {...ids} name="email" type="email" autoComplete="username" required defaultValue={state.email} key={state.email} />}
      </Field>
      <Field id="password" label="Password">
        {(ids) => <TextInput {...ids} name="password" type="password" autoComplete="current-password" required />}
      </Field>
      <Button type="submit" look="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
