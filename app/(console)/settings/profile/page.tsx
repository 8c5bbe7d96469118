import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { ProfileForm } from '@/components/auth/profile-form';
import { Card } from '@/components/ui/card';
import { ownProfile } from '@/lib/queries/own-profile';
import { saveOwnProfile } from './actions';

export const metadata: Metadata = { title: 'You' };

export default async function ProfilePage() {
  const { system, principal } = await pageCall('/settings/profile');
  const profile = await ownProfile(system.store, principal);
  return (
    <Card title="You" labelledBy="you" className="max-w-lg">
      <ProfileForm action={saveOwnProfile} kind={profile.hasPassword ? 'change' : 'first'} initial={{ name: profile.name, email: profile.email ?? '' }} />
    </Card>
  );
}
