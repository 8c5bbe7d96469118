'use client';
import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, type SubmitEvent } from 'react';
import type { Role } from '@/lib/domain/role';
import type { TokenView } from '@/lib/queries/list-tokens';
import { callApi, newCommandId, type ApiProblem } from '../api/call-api';
import { ProblemNotice } from '../api/problem-notice';
import { RelativeTime } from '../text/relative-time';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { TextInput } from '../ui/text-input';
import { RoleSelect } from './role-select';
import { SecretOnce } from './secret-once';

interface TokenSettingsProps {
  readonly tokens: readonly TokenView[];
  readonly role: Role;
}

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
  { value: '', label: 'until it is revoked' },
] as const;

const DAY_MS = 86_400_000;

/** Tokens for scripts: made, shown once, revoked. */
export function TokenSettings({ tokens, role }: TokenSettingsProps) {
  const router = useRouter();
  const [name, setName] = useState('');
  const [tokenRole, setTokenRole] = useState<Role>(role === 'viewer' ? 'viewer' : 'member');
  const [days, setDays] = useState<string>('90');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [made, setMade] = useState<string | null>(null);

  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    setMade(null);
    const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const answer = await callApi<{ readonly token: string | null }>('/tokens', {
      method: 'POST',
      body: { name, role: tokenRole, expires_at },
      commandId: newCommandId(),
    });
    setBusy(false);
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    setMade(answer.value.token);
    setName('');
    router.refresh();
  };

  const nameError = problem?.errors?.find((error) => error.pointer === '/name')?.message;
  return (
    <div className="grid gap-5">
      <Card title="New token" labelledBy="new-token">
        <form onSubmit={(event) => void create(event)} className="grid gap-4">
          {problem !== null && nameError === undefined ? <ProblemNotice problem={problem} /> : null}
          <div className="grid gap-4 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1.4fr)_minmax(0,0.8fr)_auto] md:items-start">
            <Field id="token-name" label="Name" error={nameError}>
              {(ids) => <TextInput {...ids} required maxLength={100} placeholder="CI of our repository" value={name} onChange={(event) => setName(event.target.value)} />}
            </Field>
            <Field id="token-role" label="Role">
              {(ids) => <RoleSelect {...ids} most={role} value={tokenRole} onChange={(event) => setTokenRole(event.target.value as Role)} />}
            </Field>
            <Field id="token-days" label="Valid for">
              {(ids) => (
                <Select {...ids} value={days} onChange={(event) => setDays(event.target.value)}>
                  {LIFETIMES.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Button type="submit" look="primary" busy={busy} className="md:mt-6">
              Make the token
            </Button>
          </div>
          {made === null ? null : (
            <SecretOnce title="Keep it now" secret={made} what="the token">
              It is shown this once; only a digest of it is stored.
            </SecretOnce>
          )}
        </form>
      </Card>
      <Card title={role === 'admin' ? 'Tokens of this project' : 'Your tokens'} labelledBy="tokens" flush>
        {tokens.length === 0 ? (
          <EmptyState icon={KeyRound} title="No tokens">
            A token lets a script call the API, or the command line reach this server.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoked={() => router.refresh()} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

function TokenRow({ token, onRevoked }: { readonly token: TokenView; readonly onRevoked: () => void }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const revoke = async (): Promise<void> => {
    setBusy(true);
    const answer = await callApi(`/tokens/${token.id}`, { method: 'DELETE', commandId: newCommandId() });
    setBusy(false);
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    setAsking(false);
    onRevoked();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium break-words text-ink">
          <bdi>{token.name}</bdi>
          <Badge>{token.role}</Badge>
          {token.revoked_at === null ? null : <Badge tone="bad">revoked</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-ink-soft">
          <span>{token.owner.name}</span>
          <span>
            made <RelativeTime at={token.created_at} />
          </span>
          <span>{token.last_used_at === null ? 'never used' : <>used <RelativeTime at={token.last_used_at} /></>}</span>
          <span>{token.expires_at === null ? 'does not expire' : <>expires <RelativeTime at={token.expires_at} /></>}</span>
        </p>
      </div>
      {token.revoked_at === null ? (
        <Button size="small" look="danger" onClick={() => setAsking(true)} aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      ) : null}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Revoke this token?"
        description="From then on it is worth nothing. Whatever uses it is refused with its next request."
        actions={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button look="danger" busy={busy} onClick={() => void revoke()}>
              Revoke
            </Button>
          </>
        }
      >
        {problem === null ? undefined : <ProblemNotice problem={problem} />}
      </Dialog>
    </li>
  );
}
