'use client';
import { Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, type SubmitEvent } from 'react';
import { POLICIES } from '@/lib/domain/run/settings';
import { callApi, newCommandId, type ApiProblem } from '../api/call-api';
import { ACCESS_WORDS, POLICY_WORDS } from '../run/run-words';
import { Monospace } from '../text/monospace';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import { TextArea } from '../ui/text-area';
import { TextInput } from '../ui/text-input';
import { ErrorSummary } from './error-summary';
import { LimitFields } from './limit-fields';
import { bodyOf, fieldOf, type DraftErrors, type DraftField, type RunDraft } from './run-draft';
import { WorkspaceFields } from './workspace-fields';

interface NewRunFormProps {
  readonly initial: RunDraft;
  /** Directories in which workspaces may lie. */
  readonly roots: readonly string[];
  readonly models: readonly string[];
  readonly defaultModel: string | null;
  readonly sandboxed: boolean;
}

/** Everything that is typed stays until it is submitted, whatever the server says. */
export function NewRunForm({ initial, roots, models, defaultModel, sandboxed }: NewRunFormProps) {
  const router = useRouter();
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<DraftErrors>({});
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState(false);
  // One intent, one id: sent again unchanged it is the same run; changed, it is another.
  const [command, setCommand] = useState({ id: '', body: '' });

  const set = <F extends DraftField>(field: F, value: RunDraft[F]): void => setDraft((before) => ({ ...before, [field]: value }));

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const answer = bodyOf(draft);
    setProblem(null);
    if (!answer.ok) {
      setErrors(answer.errors);
      return;
    }
    setErrors({});
    setBusy(true);
    const body = JSON.stringify(answer.body);
    const id = command.body === body ? command.id : newCommandId();
    setCommand({ id, body });
    const submitted = await callApi<{ readonly id: string }>('/runs', { method: 'POST', body: answer.body, commandId: id });
    if (submitted.ok) {
      router.push(`/runs/${submitted.value.id}`);
      return;
    }
    setBusy(false);
    const named = (submitted.problem.errors ?? []).flatMap(({ pointer, message }) => {
      const field = fieldOf(pointer, draft.place);
      return field === null ? [] : [[field, message] as const];
    });
    setErrors(Object.fromEntries(named));
    setProblem(submitted.problem);
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <ErrorSummary errors={errors} problem={problem} />
      <Card title="Task" labelledBy="task-card">
        <div className="grid gap-4">
          <Field id="task" label="What is the agent to do?" hint="It sees exactly this text. Say how it can tell that it is done." error={errors.task}>
            {(ids) => <TextArea {...ids} name="task" rows={6} value={draft.task} onChange={(event) => set('task', event.target.value)} />}
          </Field>
          <Field
            id="verifier"
            label="Verifier"
            aside="optional"
            hint={
              <>
                A command that Pilothouse runs in the workspace when the work is delivered, such as <Monospace text="npm test" />. Whether it passes is
                recorded apart from what the agent says.
              </>
            }
            error={errors.verifier}
          >
            {(ids) => (
              <TextInput {...ids} name="verifier" className="font-mono" spellCheck={false} autoComplete="off" value={draft.verifier} onChange={(event) => set('verifier', event.target.value)} />
            )}
          </Field>
        </div>
      </Card>
      <Card title="Workspace" labelledBy="workspace-card">
        <WorkspaceFields draft={draft} errors={errors} roots={roots} set={set} />
      </Card>
      <Card title="Agent" labelledBy="agent-card">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            id="model"
            label="Model"
            aside={defaultModel === null ? 'needed' : 'optional'}
            hint={defaultModel === null ? 'No default model is configured.' : <>Empty means <Monospace text={defaultModel} />.</>}
            error={errors.model}
          >
            {(ids) => (
              <>
                <TextInput {...ids} name="model" list="models" className="font-mono" spellCheck={false} autoComplete="off" value={draft.model} onChange={(event) => set('model', event.target.value)} />
                <datalist id="models">
                  {models.map((model) => (
                    <option key={model} value={model} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field id="access" label="Access" hint="Read only refuses every edit; commands get the workspace read-only." error={errors.access}>
            {(ids) => (
              <Select {...ids} name="access" value={draft.access} onChange={(event) => set('access', event.target.value as RunDraft['access'])}>
                {Object.entries(ACCESS_WORDS).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            id="policy"
            label="Policy"
            hint={sandboxed ? 'Commands run in a sandbox here, without network.' : 'There is no sandbox here: every command needs an approval, whatever the policy.'}
            error={errors.policy}
            className="sm:col-span-2"
          >
            {(ids) => (
              <Select {...ids} name="policy" value={draft.policy} onChange={(event) => set('policy', event.target.value as RunDraft['policy'])}>
                {POLICIES.map((policy) => (
                  <option key={policy} value={policy}>
                    {POLICY_WORDS[policy]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      </Card>
      <Card title="Limits" labelledBy="limits-card" aside={<span className="text-xs text-ink-faint">empty means none; reaching one pauses the run</span>}>
        <div className="grid gap-4">
          <LimitFields draft={draft} errors={errors} set={set} />
          <Checkbox
            id="saveHistory"
            label="Save the history"
            hint="Without it the session cannot go on after its end; its event log stays whole."
            checked={draft.saveHistory}
            onChange={(event) => set('saveHistory', event.target.checked)}
          />
        </div>
      </Card>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" busy={busy}>
          {busy ? null : <Send aria-hidden />}
          {busy ? 'Submitting …' : 'Submit the run'}
        </Button>
        <span role="status" className="text-xs text-ink-faint">
          {busy ? 'Sent once, however long it takes.' : ''}
        </span>
      </div>
    </form>
  );
}
