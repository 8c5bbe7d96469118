import { Ship } from 'lucide-react';
import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { sampleUnsandboxed } from '@/app/session/sample-unsandboxed';
import { LiveRefresh } from '@/components/overview/live-refresh';
import { NeedsMe } from '@/components/overview/needs-me';
import { RunningNow } from '@/components/overview/running-now';
import { UsageToday } from '@/components/overview/usage-today';
import { rowOf } from '@/components/runs/run-row-view';
import { RunTable } from '@/components/runs/run-table';
import { SampleButton } from '@/components/runs/sample-button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { TextLink } from '@/components/ui/text-link';
import { includesRole } from '@/lib/domain/role';
import { overview } from '@/lib/queries/overview';

export const metadata: Metadata = { title: 'Overview' };

export default async function OverviewPage() {
  const { system, principal } = await pageCall('/');
  const view = await overview(system.store, principal);
  const maySubmit = includesRole(principal.role, 'member');
  const unsandboxed = sampleUnsandboxed({ system, principal });
  return (
    <>
      <LiveRefresh />
      <PageHeader
        title="Overview"
        aside={
          maySubmit && !view.isNew ? (
            <>
              <SampleButton unsandboxed={unsandboxed} />
              <ButtonLink href="/runs/new" look="primary">
                New run
              </ButtonLink>
            </>
          ) : undefined
        }
      />
      {view.isNew ? (
        <div className="mb-5 rounded-lg border border-line bg-surface">
          <EmptyState
            icon={Ship}
            title="No run yet"
            actions={
              maySubmit ? (
                <>
                  <SampleButton look="primary" unsandboxed={unsandboxed} />
                  <ButtonLink href="/runs/new">Submit a task of your own</ButtonLink>
                </>
              ) : undefined
            }
          >
            The sample task shows everything, without any key: the real engine finds and mends a failing test in a real repository, and a verifier
            checks it.
          </EmptyState>
        </div>
      ) : null}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <NeedsMe runs={view.needsMe} />
        <RunningNow runs={view.live} names={view.names} />
      </div>
      <UsageToday today={view.today} />
      {view.ended.length === 0 ? null : (
        <section aria-labelledby="ended" className="mt-8">
          <div className="mb-3 flex items-baseline justify-between">
            <h2 id="ended" className="text-base font-semibold">
              Recent endings
            </h2>
            <TextLink href="/runs?status=ended">All</TextLink>
          </div>
          <RunTable runs={view.ended.map(rowOf)} names={view.names} />
        </section>
      )}
    </>
  );
}
