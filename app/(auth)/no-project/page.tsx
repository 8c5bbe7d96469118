import type { Metadata } from 'next';
import { signOut } from '@/app/session/sign-out';
import { AuthCard } from '@/components/auth/auth-card';
import { Button } from '@/components/ui/button';

export const metadata: Metadata = { title: 'No project' };

export default function NoProjectPage() {
  return (
    <AuthCard title="You belong to no project yet" lead="You are signed in. An admin of a project can invite you; then come back to this page.">
      <form action={signOut}>
        <Button type="submit" className="w-full">
          Sign out
        </Button>
      </form>
    </AuthCard>
  );
}
