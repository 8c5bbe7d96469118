import { CircleHelp, FilePen, FileX2 } from 'lucide-react';
import type { RunState } from '@/lib/domain/run/state';
import { isTerminal } from '@/lib/domain/run/status';
import { plural } from '../../text/amounts';
import { Monospace } from '../../text/monospace';
import { classNames } from '../../ui/class-names';
import { TONE_TEXT } from '../../ui/tone';
import type { Signals } from '../live/signals';
import { RunStatusMark } from '../run-status';
import { SignalCell } from './signal-cell';
import { VERIFICATION_LOOK, VERIFYING } from './verification-look';

interface ThreeSignalsProps {
  readonly state: RunState;
  readonly signals: Signals;
  readonly reason: string | null;
  readonly exitCode: number | null;
}

/** Status, writes and verification, side by side: three questions, answered apart. */
export function ThreeSignals({ state, signals, reason, exitCode }: ThreeSignalsProps) {
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3">
      <SignalCell
        label="Status"
        question="how did this run end?"
        value={
          <span className="flex flex-wrap items-center gap-x-2">
            <RunStatusMark status={state.status} />
            {exitCode === null ? null : <span className="text-sm font-normal text-ink-faint">exit code {exitCode}</span>}
          </span>
        }
        detail={reason ?? undefined}
        provesNot="that every requirement is met"
      />
      <SignalCell
        label="Writes"
        question="was a successful edit recorded in this turn?"
        value={<Writes signals={signals} />}
        detail={effects(signals)}
        provesNot="a net change on disk, or a right one"
      />
      <SignalCell
        label="Verification"
        question="did the check that was executed pass?"
        value={<Verification state={state} signals={signals} />}
        detail={<VerificationDetail state={state} signals={signals} />}
        provesNot="what it did not check"
      />
    </dl>
  );
}

function Writes({ signals }: { readonly signals: Signals }) {
  const { writes_applied, writes_unknown } = signals;
  const look = writes_applied
    ? { icon: FilePen, word: 'Recorded', tone: 'active' as const }
    : writes_unknown > 0
      ? { icon: CircleHelp, word: 'Unknown', tone: 'doubt' as const }
      : { icon: FileX2, word: 'None recorded', tone: 'neutral' as const };
  const Icon = look.icon;
  return (
    <span className={classNames('inline-flex items-center gap-1.5', TONE_TEXT[look.tone])}>
      <Icon aria-hidden className="size-4" />
      {look.word}
    </span>
  );
}

function effects({ effects: { commands, external }, writes_unknown }: Signals) {
  const parts = [
    ...(writes_unknown > 0 ? [`${plural(writes_unknown, 'edit')} of unknown outcome`] : []),
    plural(commands, 'command'),
    ...(external > 0 ? [`${plural(external, 'other call')} with an effect outside`] : []),
  ];
  return `Beside it: ${parts.join(', ')}`;
}

function Verification({ state, signals }: { readonly state: RunState; readonly signals: Signals }) {
  const { icon: Icon, word, tone } = isChecking(state) ? VERIFYING : VERIFICATION_LOOK[signals.verification.state];
  return (
    <span className={classNames('inline-flex items-center gap-1.5', TONE_TEXT[tone], isChecking(state) && 'breathing')}>
      <Icon aria-hidden className="size-4" />
      {word}
    </span>
  );
}

function VerificationDetail({ state, signals }: { readonly state: RunState; readonly signals: Signals }) {
  const { state: result, command, exit_code, reason } = signals.verification;
  if (result === 'not_configured') return <>No verifier was given with the task.</>;
  return (
    <>
      {command === undefined ? null : <Monospace text={command} />}
      {exit_code === undefined ? null : ` · exit ${exit_code}`}
      {result !== 'not_run' || isChecking(state) ? null : <> · {isTerminal(state.status) ? (NOT_RUN[reason ?? ''] ?? reason) : 'when the work is delivered'}</>}
    </>
  );
}

const isChecking = (state: RunState): boolean => state.verification.status === 'running' && !isTerminal(state.status);

const NOT_RUN: Readonly<Record<string, string>> = {
  blocked: 'nothing was delivered: the run is blocked',
  paused: 'the run paused first',
  failed: 'the run failed first',
  cancelled: 'the run was cancelled first',
  interrupted: 'the run was interrupted first',
};
