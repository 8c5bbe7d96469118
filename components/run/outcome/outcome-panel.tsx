'use client';
import type { OtherTotals } from '@/lib/domain/run/input';
import { isTerminal } from '@/lib/domain/run/status';
import { exitCodeOf, terminalToWire } from '@/lib/domain/run/terminal';
import { PlainText } from '../../text/plain-text';
import type { RunCache } from '../live/run-cache';
import { signalsOf } from '../live/signals';
import { reasonOf } from '../run-words';
import { activityOf } from './activity';
import { BlockerDetails } from './blocker-details';
import { LayersOfDone } from './layers-of-done';
import { nextStepOf, type AroundRun } from './next-step';
import { NextStepPanel } from './next-step-panel';
import { ObjectionList } from './objection-list';
import { ThreeSignals } from './three-signals';

interface OutcomePanelProps {
  readonly cache: RunCache;
  readonly others: OtherTotals;
  readonly around: AroundRun;
  readonly canAct: boolean;
}

/** How the run stands or ended, told apart by what each signal can know. */
export function OutcomePanel({ cache, others, around, canAct }: OutcomePanelProps) {
  const { state } = cache;
  const { terminal } = state;
  const signals = signalsOf(cache, others);
  const step = nextStepOf(state, around);
  const ended = isTerminal(state.status);
  return (
    <section aria-label="Outcome" className="grid gap-3">
      <ThreeSignals
        state={state}
        signals={signals}
        reason={
          state.status === 'running'
            ? activityOf(state)
            : reasonOf(state.status, terminal === null ? undefined : terminalToWire(terminal), state.waitingFor ?? undefined)
        }
        exitCode={terminal === null ? null : exitCodeOf(terminal)}
      />
      {!ended && signals.objections.length === 0 && signals.final_text === null ? null : (
        <div className="grid gap-4 rounded-lg border border-line bg-surface px-4 py-3">
          <LayersOfDone done={signals.done} />
          {signals.final_text === null || signals.final_text === '' ? null : (
            <section aria-label="What the agent delivered" className="grid gap-1">
              <h3 className="scale-label">Answer</h3>
              <PlainText text={signals.final_text} className="max-h-80 overflow-y-auto" />
            </section>
          )}
          <ObjectionList objections={signals.objections} />
          {terminal?.status === 'blocked' ? <BlockerDetails blocker={terminal.blocker} /> : null}
          {step.kind === 'wait' ? null : <NextStepPanel step={step} runId={state.runId} sessionId={state.sessionId} canAct={canAct} />}
        </div>
      )}
    </section>
  );
}
