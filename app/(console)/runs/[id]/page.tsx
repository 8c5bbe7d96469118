import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { pageCall } from '@/app/session/page-call';
import { RunIsland } from '@/components/run/run-island';
import { runTabOf } from '@/components/run/run-tab';
import { STATUS_LOOK } from '@/components/run/status-look';
import { plainTitle } from '@/components/run/task-title';
import { actorOf } from '@/lib/auth/principal';
import { isId } from '@/lib/domain/id';
import { includesRole } from '@/lib/domain/role';
import { runPage } from '@/lib/queries/run-page';
import type { System } from '@/lib/system';

interface RunPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly at?: string | string[]; readonly tab?: string | string[] }>;
}

/** Read once for the title and the page. Another project's run is none, by guess of an id either. */
const read = cache(async (id: string, at: number | null) => {
  const { system, principal } = await pageCall(`/runs/${id}`);
  const view = isId('run', id)
    ? await runPage(system.store, { projectId: principal.projectId, runId: id, ...(at === null ? {} : { at }) })
    : null;
  return view === null ? null : { view, system, principal };
});

const placeOf = (value: string | string[] | undefined): number | null => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null);

export async function generateMetadata({ params, searchParams }: RunPageProps): Promise<Metadata> {
  const found = await read((await params).id, placeOf((await searchParams).at));
  return found === null ? { title: 'No such run' } : { title: `${STATUS_LOOK[found.view.run.status].sign} ${plainTitle(found.view.run.task)}` };
}

export default async function RunPage({ params, searchParams }: RunPageProps) {
  const { at, tab } = await searchParams;
  const found = await read((await params).id, placeOf(at));
  if (found === null) notFound();
  const { view, system, principal } = found;
  const { role } = principal;
  const isOwn = view.createdBy === actorOf(principal);
  return (
    <RunIsland
      key={view.run.id}
      view={view}
      sandbox={SANDBOX_WORDS[system.sandbox]}
      canCancel={includesRole(role, 'engineer') || (isOwn && includesRole(role, 'member'))}
      canAct={includesRole(role, 'member')}
      firstTab={runTabOf(tab)}
    />
  );
}

const SANDBOX_WORDS: Readonly<Record<System['sandbox'], string>> = {
  bubblewrap: 'in a sandbox (bubblewrap)',
  unsandboxed: 'without a sandbox',
  none: 'there is no sandbox here: every command needs an approval',
};
