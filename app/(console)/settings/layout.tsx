import type { ReactNode } from 'react';
import { SettingsNav } from '@/components/settings/settings-nav';
import { PageHeader } from '@/components/ui/page-header';

export default function SettingsLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsNav />
      {children}
    </>
  );
}
