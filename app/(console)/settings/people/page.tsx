import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { PeopleSettings } from '@/components/settings/people-settings';
import { includesRole } from '@/lib/domain/role';
import { listMembers } from '@/lib/queries/list-members';

export const metadata: Metadata = { title: 'People' };

const MOST = 200;

export default async function PeoplePage() {
  const { system, principal } = await pageCall('/settings/people');
  const members = await listMembers(system.store, principal.projectId, { limit: MOST });
  return <PeopleSettings members={members?.items ?? []} me={principal.userId} mayManage={includesRole(principal.role, 'admin')} />;
}
