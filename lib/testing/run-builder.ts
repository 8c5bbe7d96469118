/** Runs for tests: submitted, claimed and moved by the same functions that the product uses. */
import { randomUUID } from 'node:crypto';
import { ensureDefaultProject } from '@/lib/commands/ensure-default-project';
import { submitRun, type SubmitRun } from '@/lib/commands/submit-run';
import type { CommandContext } from '@/lib/commands/context';
import type { SubmittedRun } from '@/lib/commands/dispatch';
import { makeId, type CallId, type NewId, type ProjectId, type RequestId } from '@/lib/domain/id';
import { after, decide } from '@/lib/domain/run/decide';
import { evolve } from '@/lib/domain/run/evolve';
import type { ProposedCall, RunInput } from '@/lib/domain/run/input';
import { NO_LIMITS, type RunSettings } from '@/lib/domain/run/settings';
import type { RunState } from '@/lib/domain/run/state';
import type { CallEffect } from '@/lib/domain/tool-call';
import type { UsageReport } from '@/lib/domain/usage';
import { claimRuns, type ClaimedRun } from '@/lib/store/claim-runs';
import type { Store } from '@/lib/store/database';
import { loadRunState } from '@/lib/store/load-run-state';
import { transition, type SealedCall, type Transition, type TransitionResult } from '@/lib/store/transition';

export const newId: NewId = (prefix) => makeId(prefix, Date.now(), Math.random);

export const SETTINGS: RunSettings = {
  model: 'scripted',
  access: 'read_only',
  policy: 'auto',
  unsandboxed: false,
  verifier: null,
  limits: NO_LIMITS,
  resumable: true,
};

/** Tests of read-write runs name a directory of their own, or they wait for each other. */
export async function submitTestRun(store: Store, request: Partial<SubmitRun> = {}): Promise<SubmittedRun & { projectId: ProjectId }> {
  const context: CommandContext = { store, newId };
  const projectId = request.projectId ?? (await ensureDefaultProject(context));
  const submitted = await submitRun(context, {
    projectId,
    commandId: newId('cmd'),
    actor: 'local',
    task: 'Mend the roof.',
    workspace: { kind: 'directory', path: '/srv/house' },
    settings: SETTINGS,
    dispatch: { kind: 'worker' },
    ...request,
  });
  return { ...submitted, projectId };
}

/** The holder of a run's lease, as a worker is: state in memory, decided on, written through. */
export class TestHolder {
  private constructor(
    readonly store: Store,
    readonly run: ClaimedRun,
    public state: RunState,
    public version: number,
  ) {}

  static async of(store: Store, run: ClaimedRun): Promise<TestHolder> {
    const loaded = await loadRunState(store, run);
    if (loaded === null) throw new Error('the claimed run is not there');
    return new TestHolder(store, run, loaded.state, loaded.row.version);
  }

  /** Claims whatever is queued. */
  static async claim(store: Store, limit = 1): Promise<TestHolder> {
    const [run] = await claimRuns(store, { owner: 'test', leaseSeconds: 60, limit });
    if (run === undefined) throw new Error('nothing to claim');
    return TestHolder.of(store, run);
  }

  prepare(input: RunInput, sealed?: ReadonlyMap<CallId, SealedCall>): Transition {
    const decision = decide(this.state, input);
    if (!decision.ok) throw new Error(`${input.type}: ${JSON.stringify(decision.rejection)}`);
    return {
      projectId: this.run.projectId,
      runId: this.run.runId,
      leaseEpoch: this.run.leaseEpoch,
      version: this.version,
      nonce: randomUUID(),
      before: this.state,
      after: after(this.state, decision.events),
      events: decision.events,
      ...(sealed === undefined ? {} : { sealed }),
    };
  }

  async apply(
    input: RunInput,
    through: (one: Transition) => Promise<TransitionResult | undefined> = async (one) => (await transition(this.store, [one]))[0],
    sealed?: ReadonlyMap<CallId, SealedCall>,
  ): Promise<TransitionResult> {
    const one = this.prepare(input, sealed);
    const result = await through(one);
    if (result === undefined) throw new Error('a transition without a result');
    if (result.kind === 'committed') {
      this.state = stateAt(one, result.at);
      this.version += 1;
    }
    return result;
  }
}

/** What a committed transition leads to, the time of its events taken in as the log has it. */
export function stateAt({ before, events, runId }: Pick<Transition, 'before' | 'events' | 'runId'>, at: Date): RunState {
  let state: RunState = before;
  for (const event of events) state = evolve(state, runId, { ...event, seq: state.seq + 1, timestamp: at.toISOString() }) ?? state;
  return state;
}

export const USAGE: UsageReport = { state: 'known', inputTokens: 1_000, outputTokens: 200, cachedTokens: 400, reasoningTokens: 50 };

export function proposedCall(name: string, effect: CallEffect, countsAsWrite = false): ProposedCall {
  return {
    callId: newId('call'),
    providerCallId: `p_${randomUUID()}`,
    name,
    arguments: { path: 'roof.txt', new_text: 'tight' },
    argumentsText: '{"path":"roof.txt","new_text":"tight"}',
    effect,
    countsAsWrite,
    decision: { verdict: 'allow', rule: 'default' },
  };
}

export const requestModel = (requestId: RequestId): RunInput => ({ type: 'request_model', requestId, purpose: 'round', model: 'scripted' });

export const modelResponded = (requestId: RequestId, text: string, calls: readonly ProposedCall[] = []): RunInput => ({
  type: 'model_responded',
  requestId,
  text,
  calls,
  finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
  usage: USAGE,
  costMicroUsd: 1_234,
});
