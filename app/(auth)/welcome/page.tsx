import type { Metadata } from 'next';
import { pageCall } from '@/app/session/page-call';
import { AuthCard } from '@/components/auth/auth-card';
import { ProfileForm } from '@/components/auth/profile-form';
import { TextLink } from '@/components/ui/text-link';
import { ownProfile } from '@/lib/queries/own-profile';
import { saveFirstProfile } from './actions';

export const metadata: Metadata = { title: 'Welcome' };

export default async function WelcomePage() {
  const { system, principal } = await pageCall('/welcome');
  const profile = await ownProfile(system.store, principal);
  return (
    <AuthCard title="How will you sign in next time?" lead="Your link is used up. Choose a password to come back with.">
      <ProfileForm action={saveFirstProfile} kind="first" initial={{ name: profile.name, email: profile.email ?? '' }} />
      <p className="text-xs text-ink-faint">
        <TextLink href="/">Later</TextLink>: without a password you will need another link.
      </p>
    </AuthCard>
  );
}
