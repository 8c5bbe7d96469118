import { Compass } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState icon={Compass} title="Nothing lies at this address" actions={<ButtonLink href="/">To the overview</ButtonLink>}>
        It may be mistyped, or what was there is not for you to see.
      </EmptyState>
    </main>
  );
}
