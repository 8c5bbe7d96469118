import { ListTree, SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { sampleUnsandboxed } from '@/app/session/sample-unsandboxed';
import { LiveRunTable } from '@/components/runs/live-run-table';
import { RunFilters } from '@/components/runs/run-filters';
import { rowOf } from '@/components/runs/run-row-view';
import { statusesOf, statusFilterOf } from '@/components/runs/status-filter';
import { SampleButton } from '@/components/runs/sample-button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { actorOf } from '@/lib/auth/principal';
import { includesRole } from '@/lib/domain/role';
import { runListPage } from '@/lib/queries/run-list-page';

export const metadata: Metadata = { title: 'Runs' };

type Query = Readonly<Record<string, string | string[] | undefined>>;

const PAGE = 30;

export default async function RunsPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const query = await searchParams;
  const { system, principal } = await pageCall(`/runs${search(query, {})}`);
  const status = statusFilterOf(query['status']);
  const q = textOf(query['q']).slice(0, 200);
  const mine = query['mine'] === '1';
  const cursor = textOf(query['cursor']);
  const statuses = statusesOf(status);
  const request = {
    projectId: principal.projectId,
    limit: PAGE,
    ...(statuses === undefined ? {} : { statuses }),
    ...(q === '' ? {} : { q }),
    ...(mine ? { createdBy: [actorOf(principal)] } : {}),
  };
  const found = await runListPage(system.store, cursor === '' ? request : { ...request, cursor });
  // A cursor that no page gave: the first page is what is meant.
  const page = found ?? (await runListPage(system.store, request)) ?? { items: [], nextCursor: null, names: {} };
  const filtered = status !== 'all' || q !== '' || mine;
  const maySubmit = includesRole(principal.role, 'member');
  return (
    <>
      <PageHeader title="Runs" aside={maySubmit ? <ButtonLink href="/runs/new" look="primary">New run</ButtonLink> : undefined} />
      <div className="grid gap-4">
        <RunFilters status={status} q={q} mine={mine} />
        {page.items.length > 0 ? (
          <LiveRunTable runs={page.items.map(rowOf)} names={page.names} isFirstPage={cursor === ''} key={JSON.stringify([status, q, mine, cursor])} />
        ) : filtered || cursor !== '' ? (
          <EmptyState icon={SearchX} title="No run fits" actions={<ButtonLink href="/runs">Show every run</ButtonLink>}>
            Nothing in this project has that status, text and submitter.
          </EmptyState>
        ) : (
          <EmptyState icon={ListTree} title="No runs yet" actions={maySubmit ? <SampleButton look="primary" unsandboxed={sampleUnsandboxed({ system, principal })} /> : undefined}>
            The sample task shows everything, without any key: a real engine mends a real failing test.
          </EmptyState>
        )}
        <nav aria-label="Pages" className="flex justify-between gap-2">
          {cursor === '' ? <span /> : <ButtonLink href={`/runs${search(query, { cursor: undefined })}`}>Newest</ButtonLink>}
          {page.nextCursor === null ? null : <ButtonLink href={`/runs${search(query, { cursor: page.nextCursor })}`}>Older runs</ButtonLink>}
        </nav>
      </div>
    </>
  );
}

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value.trim() : '');

/** The same question with something changed; empty parts are left out. */
function search(query: Query, change: Readonly<Record<string, string | undefined>>): string {
  const kept = { status: query['status'], q: query['q'], mine: query['mine'], cursor: query['cursor'], ...change };
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(kept)) if (typeof value === 'string' && value !== '' && value !== 'all') parts.set(name, value);
  return parts.size === 0 ? '' : `?${parts.toString()}`;
}
