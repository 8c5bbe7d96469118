import { Notice } from '../ui/notice';
import type { ApiProblem } from './call-api';

/** Why something was not done, in words. */
export function ProblemNotice({ problem, className }: { readonly problem: ApiProblem; readonly className?: string }) {
  return (
    <Notice role="alert" tone="bad" title={problem.title} className={className}>
      {problem.detail === undefined || problem.detail === problem.title ? undefined : problem.detail}
    </Notice>
  );
}
