'use client';
import { useRouter } from 'next/navigation';
import { useState, type SubmitEvent } from 'react';
import type { Role } from '@/lib/domain/role';
import type { MemberView } from '@/lib/queries/list-members';
import { callApi, newCommandId, type ApiProblem } from '../api/call-api';
import { ProblemNotice } from '../api/problem-notice';
import { RelativeTime } from '../text/relative-time';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Notice } from '../ui/notice';
import { TextInput } from '../ui/text-input';
import { ROLE_MEANING, RoleSelect } from './role-select';
import { SecretOnce } from './secret-once';

interface PeopleSettingsProps {
  readonly members: readonly MemberView[];
  readonly me: string;
  /** Others see who is there, and change nothing. */
  readonly mayManage: boolean;
}

/** Who belongs to the project, and as what. */
export function PeopleSettings({ members, me, mayManage }: PeopleSettingsProps) {
  const router = useRouter();
  return (
    <div className="grid gap-5">
      {mayManage ? <Invitation onInvited={() => router.refresh()} /> : null}
      <Card title="People of this project" labelledBy="people" flush aside={<span className="text-xs text-ink-faint">{members.length}</span>}>
        <ul className="divide-y divide-line">
          {members.map((member) => (
            <Member key={`${member.id}-${member.role}`} member={member} isMe={member.id === me} mayManage={mayManage} onChanged={() => router.refresh()} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Invitation({ onInvited }: { readonly onInvited: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [invited, setInvited] = useState<{ readonly email: string; readonly link: string | null } | null>(null);
  const invite = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    setInvited(null);
    const answer = await callApi<{ readonly sign_in_path: string | null }>('/members', {
      method: 'POST',
      body: { email, role },
      commandId: newCommandId(),
    });
    setBusy(false);
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    const path = answer.value.sign_in_path;
    setInvited({ email, link: path === null ? null : new URL(path, location.origin).href });
    setEmail('');
    onInvited();
  };
  const emailError = problem?.errors?.find((error) => error.pointer === '/email')?.message;
  return (
    <Card title="Invite somebody" labelledBy="invite">
      <form noValidate onSubmit={(event) => void invite(event)} className="grid gap-4">
        {problem !== null && emailError === undefined ? <ProblemNotice problem={problem} /> : null}
        <div className="grid gap-4 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1.4fr)_auto] md:items-start">
          <Field id="invite-email" label="E-mail address" error={emailError}>
            {(ids) => <TextInput {...ids} type="email" autoComplete="off" required value={email} onChange={(event) => setEmail(event.target.value)} />}
          </Field>
          <Field id="invite-role" label="Role">
            {(ids) => <RoleSelect {...ids} value={role} onChange={(event) => setRole(event.target.value as Role)} />}
          </Field>
          <Button type="submit" look="primary" busy={busy} className="md:mt-6">
            Invite
          </Button>
        </div>
        {invited === null ? null : invited.link === null ? (
          <Notice tone="good" role="status" title={`${invited.email} belongs to the project`}>
            They can sign in as they always do.
          </Notice>
        ) : (
          <SecretOnce title={`A link for ${invited.email}`} secret={invited.link} what="the link">
            It works once and is shown this once. Pilothouse sends no mail: pass it on yourself.
          </SecretOnce>
        )}
      </form>
    </Card>
  );
}

interface MemberProps {
  readonly member: MemberView;
  readonly isMe: boolean;
  readonly mayManage: boolean;
  readonly onChanged: () => void;
}

function Member({ member, isMe, mayManage, onChanged }: MemberProps) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState(false);
  const change = async (role: Role | null): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const answer = await callApi(
      `/members/${member.id}`,
      role === null ? { method: 'DELETE', commandId: newCommandId() } : { method: 'PATCH', body: { role }, commandId: newCommandId() },
    );
    setBusy(false);
    setRemoving(false);
    if (answer.ok) onChanged();
    else setProblem(answer.problem);
  };
  return (
    <li className="grid gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-2 font-medium break-words text-ink">
            <bdi>{member.name}</bdi>
            {isMe ? <Badge tone="active">you</Badge> : null}
            {member.can_sign_in ? null : <Badge tone="warn">has not signed in for good</Badge>}
          </p>
          <p className="flex flex-wrap gap-x-3 text-xs text-ink-soft">
            {member.email === null ? null : <span className="break-all">{member.email}</span>}
            <span>
              joined <RelativeTime at={member.created_at} />
            </span>
          </p>
        </div>
        {mayManage ? (
          <>
            <RoleSelect
              aria-label={`Role of ${member.name}`}
              className="w-full sm:w-80"
              disabled={busy}
              value={member.role}
              onChange={(event) => void change(event.target.value as Role)}
            />
            <Button size="small" look="danger" onClick={() => setRemoving(true)} aria-label={`Remove ${member.name}`}>
              Remove
            </Button>
          </>
        ) : (
          <p className="text-ink-soft">
            {member.role}: {ROLE_MEANING[member.role]}
          </p>
        )}
      </div>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Dialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Remove ${member.name} from the project?`}
        description="Their sessions end, and their tokens of this project are worth nothing. Their runs stay."
        actions={
          <>
            <Button onClick={() => setRemoving(false)}>Keep them</Button>
            <Button look="danger" busy={busy} onClick={() => void change(null)}>
              Remove
            </Button>
          </>
        }
      />
    </li>
  );
}
