import { SCRIPTED } from '@/lib/domain/model-name';
import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { sampleUnsandboxed } from '@/app/session/sample-unsandboxed';
import { NewRunForm } from '@/components/new-run/new-run-form';
import { EMPTY_DRAFT, type RunDraft } from '@/components/new-run/run-draft';
import { SampleButton } from '@/components/runs/sample-button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { isId } from '@/lib/domain/id';
import { runForm } from '@/lib/queries/run-form';

export const metadata: Metadata = { title: 'New run' };

interface NewRunProps {
  readonly searchParams: Promise<{ readonly from?: string | string[] }>;
}

export default async function NewRunPage({ searchParams }: NewRunProps) {
  const { from } = await searchParams;
  const { system, principal } = await pageCall('/runs/new', 'member');
  const { endpoint, defaultModel, prices } = system.modelCatalog();
  const before = isId('run', from) ? await runForm(system.store, { projectId: principal.projectId, runId: from }) : null;
  return (
    <>
      <PageHeader title="New run" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <NewRunForm
          initial={before === null ? EMPTY_DRAFT : draftOf(before)}
          roots={system.configuration.workspaceRoots.server}
          models={endpoint ? [...new Set([...(defaultModel === null ? [] : [defaultModel]), ...prices.map((each) => each.model), SCRIPTED])] : [SCRIPTED]}
          defaultModel={defaultModel ?? (endpoint ? null : SCRIPTED)}
          sandboxed={system.sandbox === 'bubblewrap'}
        />
        <Card title="Only looking?" labelledBy="sample" className="max-lg:order-first">
          <p className="mb-3 text-ink-soft">
            The sample task runs the real engine on a fresh copy of a small repository with a failing test. It needs no key.
          </p>
          <SampleButton unsandboxed={sampleUnsandboxed({ system, principal })} />
        </Card>
      </div>
    </>
  );
}

/** A run that is started again begins with what it was submitted with. */
function draftOf({ task, workspace, settings }: NonNullable<Awaited<ReturnType<typeof runForm>>>): RunDraft {
  const { limits } = settings;
  const text = (value: number | null): string => (value === null ? '' : String(value));
  return {
    ...EMPTY_DRAFT,
    task,
    ...(workspace.kind === 'git' ? { place: 'git' as const, git: workspace.location } : { directory: workspace.location }),
    access: settings.access,
    model: settings.model,
    verifier: settings.verifier ?? '',
    policy: settings.policy,
    rounds: text(limits.rounds),
    toolCalls: text(limits.tool_calls),
    minutes: text(limits.wall_seconds === null ? null : Math.round(limits.wall_seconds / 6) / 10),
    tokens: text(limits.tokens),
    usd: text(limits.cost_micro_usd === null ? null : limits.cost_micro_usd / 1e6),
    saveHistory: true,
  };
}
