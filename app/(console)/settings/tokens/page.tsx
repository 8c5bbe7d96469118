import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { TokenSettings } from '@/components/settings/token-settings';
import { listTokens } from '@/lib/queries/list-tokens';

export const metadata: Metadata = { title: 'Tokens' };

const MOST = 100;

export default async function TokensPage() {
  const { system, principal } = await pageCall('/settings/tokens');
  const tokens = await listTokens(system.store, principal, { limit: MOST });
  return <TokenSettings tokens={tokens?.items ?? []} role={principal.role} />;
}
