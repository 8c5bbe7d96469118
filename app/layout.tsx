import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { THEME_COOKIE, themeOf } from '@/components/shell/theme';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Pilothouse', template: '%s · Pilothouse' },
  description: 'A control plane for agent runs that tells the truth about how each one ended.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#141e25' },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" {...(theme === 'system' ? {} : { 'data-theme': theme })}>
      <body>
        <Providers renderedAt={Date.now()}>{children}</Providers>
      </body>
    </html>
  );
}
