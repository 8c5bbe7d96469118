/** How a person goes on after an end: exact commands. Pure. */
import { isTerminal, leavesTurnOpen, type RunStatus } from '@/lib/domain/run/status';
import type { TerminalView } from './status-text';

export interface EndedRun {
  readonly runId: string;
  readonly sessionId: string;
  /** The session's messages are kept. */
  readonly resumable: boolean;
  readonly status: RunStatus;
  readonly terminal?: TerminalView | undefined;
}

/** @param program how this person calls Pilothouse */
export function waysToGoOn(run: EndedRun, program: string): readonly string[] {
  if (!isTerminal(run.status)) return [];
  const show = `${program} show ${run.runId}`;
  return [...nextStep(run, `${program} exec resume ${run.sessionId}`), `see it again:   ${show}`];
}

function nextStep(run: EndedRun, resume: string): readonly string[] {
  const unknown = run.terminal?.interrupted?.unknown_calls ?? run.terminal?.cancelled?.unknown_calls ?? [];
  if (unknown.length > 0) return ['look at the workspace: what the unknown calls did is not known, and nothing of it is repeated by itself'];
  if (!run.resumable) {
    return leavesTurnOpen(run.status) || run.status === 'blocked'
      ? ['this session cannot be resumed (it ran without --save-history): start the task again']
      : [];
  }
  if (leavesTurnOpen(run.status)) return [`go on:          ${resume}`, `say something:  ${resume} "…"`];
  return [`${run.status === 'blocked' ? 'answer:        ' : 'say something: '} ${resume} "…"`];
}
