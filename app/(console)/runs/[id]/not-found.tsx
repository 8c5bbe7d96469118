import { SearchX } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

export default function RunNotFound() {
  return (
    <EmptyState icon={SearchX} title="There is no such run here" actions={<ButtonLink href="/runs">To the runs of this project</ButtonLink>}>
      The address may be mistyped, or the run belongs to a project that is not yours.
    </EmptyState>
  );
}
