'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Clock } from '../text/clock';

export function Providers({ renderedAt, children }: { readonly renderedAt: number; readonly children: ReactNode }) {
  // One a browser page: made in state, so that no two requests of the server share it.
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: 1, refetchOnWindowFocus: false } } }),
  );
  return (
    <QueryClientProvider client={client}>
      <Clock renderedAt={renderedAt}>{children}</Clock>
    </QueryClientProvider>
  );
}
