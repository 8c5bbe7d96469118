import type { ReactNode } from 'react';
import type { RunPageView } from '@/lib/queries/run-page';
import { count, plural, usd } from '../../text/amounts';
import { modelLabel } from '../../text/model-label';
import { Monospace } from '../../text/monospace';
import { CopyButton } from '../../ui/copy-button';
import { Card } from '../../ui/card';
import { TextLink } from '../../ui/text-link';
import { ACCESS_WORDS, POLICY_WORDS } from '../run-words';
import { STATUS_LOOK } from '../status-look';

interface FactsPanelProps {
  readonly view: RunPageView;
  readonly sandbox: string;
}

/** What the run was submitted with, and where it belongs. */
export function FactsPanel({ view, sandbox }: FactsPanelProps) {
  const { run, settings, generations } = view;
  return (
    <Card title="Facts" labelledBy="facts">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        <Fact label="Model">
          <Monospace text={modelLabel(settings.model)} />
        </Fact>
        <Fact label="Workspace">
          <Monospace text={run.workspace} />
        </Fact>
        <Fact label="Access">{ACCESS_WORDS[settings.access]}</Fact>
        <Fact label="Policy">{POLICY_WORDS[settings.policy]}</Fact>
        <Fact label="Commands">{settings.unsandboxed ? 'without a sandbox where there is none: the submitter answers for it' : sandbox}</Fact>
        <Fact label="Limits">{limits(settings.limits)}</Fact>
        <Fact label="History">{settings.resumable ? 'kept: the session can go on' : 'not kept'}</Fact>
        <Fact label="Driven by">{view.dispatch === 'worker' ? 'a worker' : 'the command line that started it'}</Fact>
        {generations.length < 2 ? null : (
          <Fact label="Generations">
            <ol className="flex flex-wrap gap-x-3 gap-y-1">
              {generations.map((each) => (
                <li key={each.runId}>
                  {each.runId === run.id ? (
                    <span aria-current="page" className="font-medium">
                      {each.generation} {STATUS_LOOK[each.status].word}
                    </span>
                  ) : (
                    <TextLink href={`/runs/${each.runId}`}>
                      {each.generation} {STATUS_LOOK[each.status].word}
                    </TextLink>
                  )}
                </li>
              ))}
            </ol>
          </Fact>
        )}
        <Fact label="Run">
          <Id id={run.id} what="run id" />
        </Fact>
        <Fact label="Session">
          <Id id={run.session_id} what="session id" />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint">{label}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </>
  );
}

function Id({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span className="flex items-start gap-1">
      <Monospace text={id} className="min-w-0 text-xs leading-5" />
      <CopyButton text={id} what={what} className="-my-1.5" />
    </span>
  );
}

function limits(given: RunPageView['settings']['limits']): string {
  const parts = [
    ...(given.rounds === null ? [] : [plural(given.rounds, 'round')]),
    ...(given.tool_calls === null ? [] : [plural(given.tool_calls, 'tool call')]),
    ...(given.wall_seconds === null ? [] : [`${count(Math.round(given.wall_seconds / 6) / 10)} min`]),
    ...(given.tokens === null ? [] : [`${count(given.tokens)} tokens`]),
    ...(given.cost_micro_usd === null ? [] : [usd(given.cost_micro_usd)]),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}
