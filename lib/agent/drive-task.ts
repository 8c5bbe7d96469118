/**
 * The agent loop: ask the state what comes next, do it, record it. It keeps nothing
 * between steps, so that a run can be stopped and taken up at any of them.
 */
import { nextStep, type NextStep } from '@/lib/domain/run/next-step';
import { truncationReport } from '@/lib/steering/truncation-report';
import { isStopped, type AgentRun } from './agent-run';
import { callTools } from './call-tools';
import { endRun } from './end-run';
import { requestModel } from './request-model';
import { verify } from './verify';
import { weighAnswer } from './weigh-answer';

type Steps = { readonly [K in NextStep['kind']]: (run: AgentRun, step: Extract<NextStep, { kind: K }>) => Promise<unknown> };

const STEPS: Steps = {
  run_calls: callTools,
  request_model: requestModel,
  weigh_answer: weighAnswer,
  verify: (run, step) => verify(run, step.command),
  ask_to_continue: (run) => run.recorder.record([{ type: 'append_message', origin: 'report', text: truncationReport() }]),
  exhaust_budget: (run, step) => run.recorder.record([{ type: 'exhaust_budget', exhausted: step.exhausted }]),
  pause: (run, step) => endRun(run, { kind: 'paused', reason: step.reason, message: step.message }),
  fail_provider: (run) => endRun(run, { kind: 'provider_failed' }),
  finish: (run) => endRun(run, { kind: 'finished' }),
};

/**
 * Drives a running run until it is no longer running, or `run.signal` fires.
 * @throws LeaseLost, RecordRefused (see RunRecorder), and Error for a step that gets
 *   nowhere; nothing else of the outside: providers' and tools' failures are facts in
 *   the record.
 */
export async function driveTask(run: AgentRun): Promise<void> {
  while (run.recorder.state.status === 'running' && !isStopped(run)) {
    const step = nextStep(run.recorder.state, { modelRetries: run.modelRetries, workedSeconds: workedSeconds(run) });
    const { seq } = run.recorder.state;
    await (STEPS[step.kind] as (run: AgentRun, step: NextStep) => Promise<unknown>)(run, step);
    // The next step is derived from the record: one that records nothing would be repeated for ever.
    if (run.recorder.state.seq === seq && !isStopped(run)) throw new Error(`the step ${step.kind} recorded nothing`);
  }
}

const workedSeconds = (run: AgentRun): number => run.workedBeforeSeconds + (run.clock.monotonic() - run.claimedAt) / 1_000;
