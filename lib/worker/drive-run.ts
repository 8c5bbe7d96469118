/**
 * Drives one claimed run: loads its state and conversation, keeps its lease, runs the
 * agent loop, and closes what the loop leaves open when it is stopped: a cancelled run
 * is ended, a released one goes back to the queue, a lost one is left alone.
 */
import type { AgentRun } from '@/lib/agent/agent-run';
import { driveTask } from '@/lib/agent/drive-task';
import type { EphemeralEvent } from '@/lib/agent/ports';
import { LeaseLost, RecordRefused, type SealedInput } from '@/lib/agent/recorder';
import type { CallId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import type { EndReason } from '@/lib/domain/run/input';
import { loadRunState } from '@/lib/store/load-run-state';
import { readConversation } from '@/lib/store/read-conversation';
import { readEvents } from '@/lib/store/read-events';
import { readOpenCalls } from '@/lib/store/read-open-calls';
import { readRun } from '@/lib/store/read-run';
import { turnTotals } from '@/lib/store/turn-totals';
import type { ClaimedRun } from '@/lib/store/claim-runs';
import { StoreError } from '@/lib/store/store-error';
import { systemPrompt } from '@/lib/steering/system-prompt';
import { parseArguments } from '@/lib/agent/propose-call';
import { CommittedRun, type Reloaded } from './committed-run';
import type { Engine } from './engine';
import { prepareWorkspace } from './prepare-workspace';
import { hasHadEffect, storeDiff } from './store-diff';
import { isPassing, readAgain } from './read-again';

/** Who looks on. Neither may throw. */
export interface Observer {
  /** Events above this seq that were committed before this process took the run are delivered too; null: none of them. */
  readonly seenSeq: number | null;
  readonly onEvents: (events: readonly RunEvent[]) => void;
  readonly onEphemeral: (event: EphemeralEvent) => void;
}

/** `release`: this process is stopping; another goes on. */
type Stop = 'cancel' | 'release' | 'lease_lost';

export interface Drive {
  /** Settles when this process is done with the run. Rejects only on what nobody foresaw. */
  readonly done: Promise<void>;
  /** Puts the run back into the queue at its next boundary. */
  release(): void;
  /** Somebody else may have changed the run: look. */
  nudge(): void;
}

const EVENT_PAGE = 500;

export function driveRun(engine: Engine, claimed: ClaimedRun, observer: Observer): Drive {
  const controller = new AbortController();
  const lost = new AbortController();
  let isDone = false;
  let stopped: Stop | null = null;
  const stop = (why: Stop): void => {
    // A lost lease overrules: nothing more may be written.
    if (stopped === null || why === 'lease_lost') stopped = why;
    if (why === 'lease_lost') lost.abort();
    controller.abort();
  };
  const reading: Reading = (read) => readAgain(engine.clock, lost.signal, read);
  let run: CommittedRun | null = null;

  const nudge = (): void => {
    if (isDone) return;
    run?.refresh().then(
      () => {
        if (run?.state.status !== 'running') stop('cancel');
      },
      // A look that failed says nothing of the lease: the heartbeat sees the same change.
      (error: unknown) => {
        if (error instanceof LeaseLost) stop('lease_lost');
      },
    );
  };
  const unhold = engine.leases.hold({
    runId: claimed.runId,
    leaseEpoch: claimed.leaseEpoch,
    version: () => run?.version ?? claimed.version,
    onLost: () => stop('lease_lost'),
    onChanged: nudge,
  });

  const work = async (): Promise<void> => {
    run = await load(engine, claimed, observer, reading);
    // A command may have come between the claim and the loading.
    if (run.state.status !== 'running') stop('cancel');
    const agentRun = await assemble(engine, claimed, run, { observer, reading, signal: controller.signal });
    const place = await prepareWorkspace(engine, claimed, { reading, signal: controller.signal });
    if (place.ok) await driveToEnd(engine, agentRun);
    else if (place.reason !== 'stopped') await endRun(agentRun, place.reason);
    await close(agentRun, () => stopped);
    if (stopped !== 'lease_lost' && hasHadEffect(run.state)) await storeDiff(engine, claimed, agentRun.changes);
  };
  const done = work()
    .catch((error: unknown) => {
      if (error instanceof LeaseLost) return;
      engine.onUnexpected(error, claimed.runId);
    })
    .finally(() => {
      isDone = true;
      unhold();
    });
  return { done, release: () => stop('release'), nudge };
}

type Reading = <T>(read: () => Promise<T>) => Promise<T>;

async function load(engine: Engine, claimed: ClaimedRun, observer: Observer, reading: Reading): Promise<CommittedRun> {
  const { store } = engine;
  const [loaded, messages] = await reading(() => Promise.all([loadRunState(store, claimed), readConversation(store, claimed)]));
  if (loaded === null || loaded.row.leaseEpoch !== claimed.leaseEpoch) throw new LeaseLost('the run was taken before it was loaded');
  const { seenSeq } = observer;
  if (seenSeq !== null) observer.onEvents(await reading(() => eventsBetween(engine, claimed, seenSeq, loaded.state.seq)));
  return new CommittedRun({
    state: loaded.state,
    version: loaded.row.version,
    messages,
    commit: (transition) => engine.writePath.transition(transition),
    reload: (afterSeq) => reading(() => reload(engine, claimed, afterSeq)),
    newNonce: engine.newNonce,
    onEvents: observer.onEvents,
  });
}

/** The row first, then its events up to the row's seq: so version and events belong together. */
async function reload(engine: Engine, claimed: ClaimedRun, afterSeq: number): Promise<Reloaded | null> {
  const row = await readRun(engine.store, claimed);
  if (row === null) return null;
  return { leaseEpoch: row.leaseEpoch, version: row.version, events: await eventsBetween(engine, claimed, afterSeq, row.lastSeq) };
}

/** Events with `after` < seq ≤ `to`, all of them. */
async function eventsBetween(engine: Engine, claimed: ClaimedRun, after: number, to: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let seen = after; seen < to; ) {
    const page = await readEvents(engine.store, { ...claimed, after: seen, limit: EVENT_PAGE });
    events.push(...page.filter((event) => event.seq <= to));
    const last = page.at(-1);
    if (last === undefined) break;
    seen = last.seq;
  }
  return events;
}

interface Around {
  readonly observer: Observer;
  readonly reading: Reading;
  readonly signal: AbortSignal;
}

async function assemble(engine: Engine, claimed: ClaimedRun, run: CommittedRun, { observer, reading, signal }: Around): Promise<AgentRun> {
  const { settings } = run.state;
  const workspace = { root: claimed.workspacePath, access: settings.access };
  const runner = await engine.runnerFor(settings.unsandboxed);
  return {
    recorder: run,
    model: engine.modelFor(settings.model),
    tools: engine.toolsFor(runner),
    workspace,
    changes: engine.changesFor(claimed.workspacePath, claimed.turnId),
    verification: engine.verificationFor(runner, workspace),
    intake: engine.intake,
    clock: engine.clock,
    entropy: engine.entropy,
    publish: observer.onEphemeral,
    signal,
    systemPrompt: systemPrompt({ access: settings.access, network: false }),
    modelRetries: engine.modelRetries,
    workedBeforeSeconds: run.state.workedMs / 1_000,
    claimedAt: engine.clock.monotonic(),
    originals: run.state.calls.length === 0 ? new Map<CallId, string>() : await reading(() => openSeals(engine, claimed)),
    seal: (argumentsText, callId) => sealed(engine, argumentsText, callId),
    readOthers: () =>
      reading(() => turnTotals(engine.store, { projectId: claimed.projectId, turnId: claimed.turnId, exceptRunId: claimed.runId })),
  };
}

/** Calls that an earlier holder proposed and did not begin. */
async function openSeals(engine: Engine, claimed: ClaimedRun): Promise<Map<CallId, string>> {
  const originals = new Map<CallId, string>();
  for (const call of await readOpenCalls(engine.store, claimed)) {
    if (call.sealed === null) continue;
    try {
      originals.set(call.callId, engine.intake.open(call.sealed, call.callId));
    } catch {
      // Sealed with another installation's key: the call ends as `arguments_lost`, and is not guessed.
    }
  }
  return originals;
}

function sealed(engine: Engine, argumentsText: string, callId: CallId): SealedInput {
  return { bytes: engine.intake.seal(argumentsText, callId), inputHash: hashOf(engine, argumentsText) };
}

function hashOf(engine: Engine, argumentsText: string): string {
  const parsed = parseArguments(argumentsText);
  if (!parsed.ok) return engine.hashInput(argumentsText);
  try {
    return engine.hashInput(parsed.value);
  } catch {
    // Without a canonical form (too deep, a number that is none) it is compared as the text that it came as.
    return engine.hashInput(argumentsText);
  }
}

/**
 * What the loop could not foresee ends the run, and never as anything better than it
 * is. Where even that cannot be recorded, the lease expires and the run is interrupted.
 */
async function driveToEnd(engine: Engine, agentRun: AgentRun): Promise<void> {
  try {
    await driveTask(agentRun);
  } catch (error) {
    // What became of the last record is not known, so nothing may be built on it.
    if (error instanceof LeaseLost || isPassing(error)) throw error;
    engine.onUnexpected(error, agentRun.recorder.state.runId);
    await endRun(agentRun, endReason(error));
  }
}

async function endRun(agentRun: AgentRun, reason: EndReason): Promise<void> {
  await agentRun.recorder.record([{ type: 'end', reason, others: await agentRun.readOthers() }]);
}

function endReason(error: unknown): EndReason {
  if (error instanceof StoreError && error.code === 'storage_full') {
    return { kind: 'paused', reason: 'storage', message: 'The database has no room left. What was committed before stands.' };
  }
  if (error instanceof RecordRefused || error instanceof StoreError) {
    return {
      kind: 'harness_failed',
      class: 'persistence',
      code: error.code,
      message: 'The database refused a record of this run. What was committed before stands.',
    };
  }
  return {
    kind: 'harness_failed',
    class: 'runtime',
    code: 'internal',
    message: 'The harness failed while it drove this run. What was committed before stands.',
  };
}

async function close(agentRun: AgentRun, stopped: () => Stop | null): Promise<void> {
  const { recorder } = agentRun;
  if (stopped() === 'lease_lost') return;
  if (recorder.state.status === 'running' && stopped() === 'release') {
    const released = await recorder.record([{ type: 'release', reason: 'worker_stopping' }]);
    if (released.ok) return;
  }
  if (recorder.state.status === 'cancelling') {
    await recorder.record([{ type: 'finish_cancel', others: await agentRun.readOthers() }]);
  }
}
