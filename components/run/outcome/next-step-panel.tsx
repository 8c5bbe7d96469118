'use client';
import { ArrowRight, Play, Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useState, type SubmitEvent } from 'react';
import { callApi, newCommandId, type ApiProblem } from '../../api/call-api';
import { ProblemNotice } from '../../api/problem-notice';
import { plural } from '../../text/amounts';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';
import { Field } from '../../ui/field';
import { TextArea } from '../../ui/text-area';
import { TextLink } from '../../ui/text-link';
import type { NextStep } from './next-step';

interface NextStepPanelProps {
  readonly step: NextStep;
  readonly runId: string;
  readonly sessionId: string;
  /** The one who looks may do something about it. */
  readonly canAct: boolean;
}

/** What can be done next, and the means to do it. */
export function NextStepPanel({ step, runId, sessionId, canAct }: NextStepPanelProps) {
  switch (step.kind) {
    case 'wait':
      return null;
    case 'went_on':
      return (
        <p className="text-ink-soft">
          {step.sameTurn ? 'A later generation of this turn exists. ' : 'The session has gone on since. '}
          <TextLink href={`/runs/${step.runId}`}>To its latest run</TextLink>
        </p>
      );
    case 'continues':
      return (
        <p className="text-ink-soft">
          Nothing with an effect was in doubt, so it goes on by itself. <TextLink href={`/runs/${step.runId}`}>To the next generation</TextLink>
        </p>
      );
    case 'parent':
      return (
        <p className="text-ink-soft">
          It works for another run, which decides what comes next. <TextLink href={`/runs/${step.runId}`}>To that run</TextLink>
        </p>
      );
    case 'reconcile':
      return (
        <p className="text-ink-soft">
          It can go on once a person has said what is known of {plural(step.callIds.length, 'call')} whose outcome is unknown. Look at the
          workspace before anything is repeated.
        </p>
      );
    case 'start_again':
      return (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-ink-soft">Its history was not kept, so that this session cannot go on. The task can be started anew.</p>
          {canAct ? (
            <ButtonLink href={`/runs/new?from=${runId}`} size="small">
              Start it again
              <ArrowRight aria-hidden />
            </ButtonLink>
          ) : null}
        </div>
      );
    case 'resume':
      return canAct ? <Resume runId={runId} sessionId={sessionId} /> : <p className="text-ink-soft">A member of the project can resume it.</p>;
    case 'answer':
      return canAct ? (
        <Say sessionId={sessionId} label="Your answer" button="Answer" choices={step.choices} />
      ) : (
        <p className="text-ink-soft">A member of the project can answer.</p>
      );
    case 'say_more':
      return canAct ? <Say sessionId={sessionId} label="Say something more to the agent" button="Send" choices={[]} folded /> : null;
  }
}

function Resume({ runId, sessionId }: { readonly runId: string; readonly sessionId: string }) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [commandId] = useState(newCommandId);
  const resume = async (): Promise<void> => {
    setBusy(true);
    const answer = await callApi<{ readonly id: string }>(`/runs/${runId}/resume`, { method: 'POST', body: {}, commandId });
    if (answer.ok) {
      router.push(`/runs/${answer.value.id}`);
      return;
    }
    setBusy(false);
    setProblem(answer.problem);
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" busy={busy} onClick={() => void resume()}>
          <Play aria-hidden />
          Resume
        </Button>
        <p className="text-ink-soft">The next generation of the same turn goes on with everything that is recorded here.</p>
      </div>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <Say sessionId={sessionId} label="Or say something, which begins a new turn" button="Send" choices={[]} folded />
    </div>
  );
}

interface SayProps {
  readonly sessionId: string;
  readonly label: string;
  readonly button: string;
  readonly choices: readonly string[];
  readonly folded?: boolean;
}

/** The next message of the session. */
function Say({ sessionId, label, button, choices, folded = false }: SayProps) {
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  // A new text is a new intent.
  const [command, setCommand] = useState({ id: newCommandId(), text: '' });
  const send = async (message: string): Promise<void> => {
    const commandId = command.text === message ? command.id : newCommandId();
    setCommand({ id: commandId, text: message });
    setBusy(true);
    const answer = await callApi<{ readonly id: string }>(`/sessions/${sessionId}/turns`, { method: 'POST', body: { text: message }, commandId });
    if (answer.ok) {
      router.push(`/runs/${answer.value.id}`);
      return;
    }
    setBusy(false);
    setProblem(answer.problem);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') void send(text);
  };
  const form = (
    <form onSubmit={submit} className="grid gap-2">
      {choices.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {choices.map((choice) => (
            <Button key={choice} disabled={busy} onClick={() => void send(choice)} className="h-auto min-h-9 py-1.5 text-left whitespace-normal">
              {choice}
            </Button>
          ))}
        </div>
      )}
      <Field id={id} label={label}>
        {(ids) => <TextArea {...ids} rows={3} className="min-h-20" value={text} onChange={(event) => setText(event.target.value)} />}
      </Field>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <div>
        <Button type="submit" look={folded ? 'plain' : 'primary'} busy={busy} disabled={text.trim() === ''}>
          <Send aria-hidden />
          {button}
        </Button>
      </div>
    </form>
  );
  if (!folded) return form;
  return (
    <details className="group/say">
      <summary className="inline-flex items-center rounded-sm text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent">
        {label} …
      </summary>
      <div className="mt-3">{form}</div>
    </details>
  );
}
