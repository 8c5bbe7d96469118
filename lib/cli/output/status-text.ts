/** A run's status as a mark, a word and a tone. */
import type { Completion } from '@/lib/domain/run/completion';
import type { RunStatus, TerminalStatus } from '@/lib/domain/run/status';
import type { Tone } from './progress';
import { oneLine } from './terminal-text';

export interface StatusText {
  readonly mark: string;
  readonly word: string;
  readonly tone: Tone;
}

export const STATUS_TEXT: Readonly<Record<RunStatus, StatusText>> = {
  queued: { mark: '○', word: 'queued', tone: 'dim' },
  running: { mark: '●', word: 'running', tone: 'plain' },
  waiting: { mark: '◌', word: 'waiting', tone: 'dim' },
  cancelling: { mark: '◍', word: 'cancelling', tone: 'doubt' },
  succeeded: { mark: '✓', word: 'succeeded', tone: 'good' },
  verification_failed: { mark: '✗', word: 'verification failed', tone: 'bad' },
  blocked: { mark: '■', word: 'blocked', tone: 'doubt' },
  paused: { mark: '‖', word: 'paused', tone: 'doubt' },
  failed: { mark: '✗', word: 'failed', tone: 'bad' },
  cancelled: { mark: '–', word: 'cancelled', tone: 'doubt' },
  interrupted: { mark: '?', word: 'interrupted', tone: 'bad' },
};

/** How a run ended, as on the wire: one key. */
export type TerminalView = Completion['terminal'];

type Reasons = { readonly [S in TerminalStatus]: (terminal: NonNullable<TerminalView[S]>) => string };

const REASONS: Reasons = {
  succeeded: () => 'the agent delivered an answer and the record has nothing hard against it',
  verification_failed: ({ command, exit_code }) => `the verifier \`${oneLine(command, 90)}\` did not pass (exit ${exit_code})`,
  blocked: ({ blocker }) => `${blocker.kind}: ${blocker.summary}`,
  paused: ({ reason, message }) => `${reason}${message === undefined ? '' : `: ${message}`}`,
  failed: ({ class: failureClass, code, message }) => `${failureClass}${code === failureClass ? '' : ` (${code})`}: ${message}`,
  cancelled: ({ by, unknown_calls }) => `by ${by}${unknownCalls(unknown_calls)}`,
  interrupted: ({ unknown_calls, continues_as }) =>
    `its process stopped without an end${unknownCalls(unknown_calls)}${continues_as === undefined ? '' : `; it goes on as ${continues_as}`}`,
};

const unknownCalls = (ids: readonly string[]): string => (ids.length === 0 ? '' : `; what these calls did is unknown: ${ids.join(', ')}`);

/** Why the run ended so, on one line; null while it is live. */
export function endReason(terminal: TerminalView | undefined): string | null {
  for (const [status, payload] of Object.entries(terminal ?? {})) {
    const reason = REASONS[status as TerminalStatus] as (payload: unknown) => string;
    return oneLine(reason(payload), 400);
  }
  return null;
}
