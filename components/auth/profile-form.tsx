'use client';
import { useActionState } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Notice } from '../ui/notice';
import { TextInput } from '../ui/text-input';

export type ProfileField = 'name' | 'email' | 'password' | 'current_password';

export interface ProfileState {
  readonly values: { readonly name: string; readonly email: string };
  readonly errors: Partial<Record<ProfileField, string>>;
  readonly done: boolean;
}

interface ProfileFormProps {
  readonly action: (before: ProfileState, form: FormData) => Promise<ProfileState>;
  readonly initial: ProfileState['values'];
  /** `first`: a password is chosen for the first time, and is needed. */
  readonly kind: 'first' | 'change';
}

/** Name, address and password of whoever is signed in. */
export function ProfileForm({ action, initial, kind }: ProfileFormProps) {
  const [state, submit, busy] = useActionState(action, { values: initial, errors: {}, done: false });
  const { errors, values } = state;
  const first = kind === 'first';
  return (
    <form action={submit} className="grid gap-4">
      {state.done ? <Notice role="status" tone="good" title="Saved" /> : null}
      {Object.keys(errors).length > 0 ? <Notice role="alert" tone="bad" title="Nothing was saved yet">See below what stands in the way.</Notice> : null}
      <Field id="name" label="Your name" error={errors.name}>
        {(ids) => <TextInput {...ids} name="name" autoComplete="name" required maxLength={100} defaultValue={values.name} key={`n${values.name}`} />}
      </Field>
      <Field id="email" label="E-mail address" hint="You sign in with it. Nothing is sent to it." error={errors.email}>
        {(ids) => <TextInput {...ids} name="email" type="email" autoComplete="username" required defaultValue={values.email} key={`e${values.email}`} />}
      </Field>
      {first ? null : (
        <Field id="current_password" label="Present password" aside="to change address or password" error={errors.current_password}>
          {(ids) => <TextInput {...ids} name="current_password" type="password" autoComplete="current-password" />}
        </Field>
      )}
      <Field
        id="password"
        label={first ? 'Choose a password' : 'New password'}
        {...(first ? {} : { aside: 'leave empty to keep it' })}
        hint="At least 10 characters. It ends all your other sessions."
        error={errors.password}
      >
        {(ids) => <TextInput {...ids} name="password" type="password" autoComplete="new-password" required={first} minLength={10} maxLength={256} />}
      </Field>
      <div>
        <Button type="submit" look="primary" busy={busy} className={first ? 'w-full' : ''}>
          {first ? 'Save and go on' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
