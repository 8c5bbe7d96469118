'use client';
import { CloudAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';
import { EmptyState } from '../ui/empty-state';

interface ErrorViewProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** Something on the server did not work. Runs are not concerned: workers go on without the pages. */
export function ErrorView({ error, reset }: ErrorViewProps) {
  useEffect(() => {
    document.title = 'Something did not work · Pilothouse';
  }, []);
  return (
    <div role="alert">
      <EmptyState
        icon={CloudAlert}
        title="This page could not be made"
        actions={
          <>
            <Button look="primary" onClick={reset}>
              Try again
            </Button>
            <ButtonLink href="/">To the overview</ButtonLink>
          </>
        }
      >
        The database may be away for a moment. Runs go on without this page, and nothing of them is lost.
        {error.digest === undefined ? null : <span className="mt-1 block font-mono text-xs text-ink-faint">{error.digest}</span>}
      </EmptyState>
    </div>
  );
}
