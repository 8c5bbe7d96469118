/**
 * THE write path: everything that happens to a run after its birth is committed here,
 * state and events together (I2), fenced by lease epoch and version (I6), several runs
 * in one statement. No interactive transaction.
 *
 * What a failure leads to (F9, F10):
 *
 * | failure                        | what is certain       | then                                   |
 * |--------------------------------|-----------------------|----------------------------------------|
 * | zero rows                      | nothing changed       | `overtaken`                            |
 * | serialization failure, deadlock| nothing changed       | the statement again, at most 5 times   |
 * | a value was refused            | nothing changed       | each run for itself; the bad: `refused`|
 * | connection lost, timed out     | nothing               | settled by reading, until the deadline |
 * | disk full, anything else       | nothing changed       | throws                                 |
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId, ProjectId, RunId } from '@/lib/domain/id';
import type { RunEventBody } from '@/lib/domain/run/event';
import type { RunState } from '@/lib/domain/run/state';
import { isTerminal } from '@/lib/domain/run/status';
import type { Store } from './database';
import { projectRows } from './project-rows';
import { jittered, retryConflicts } from './retry';
import { settleByReading } from './settle-by-reading';
import type { Sql } from './sql';
import { StoreError } from './store-error';
import { UnstorableError } from './storable-json';
import { bind, sendTransitions, type Fenced } from './transition-statement';

/** The original arguments of a proposed call, for its executor only. */
export interface SealedCall {
  readonly bytes: Uint8Array;
  readonly inputHash: string;
}

/** What happened to a run, as `decide` said, and on which state it was decided. */
export interface Transition {
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** The lease that is held: another one fences this write (I6). */
  readonly leaseEpoch: number;
  /** The run's version that `before` was read at; a commit raises it by one. */
  readonly version: number;
  /** Fresh for each transition: tells afterwards whether it was this one that committed. */
  readonly nonce: string;
  readonly before: RunState;
  readonly after: RunState;
  readonly events: readonly RunEventBody[];
  /** For calls that `events` propose. */
  readonly sealed?: ReadonlyMap<CallId, SealedCall>;
}

export type TransitionResult =
  /** `at` is the timestamp of the events; the version is one higher, the seq is `after.seq`. */
  | { readonly kind: 'committed'; readonly at: Date }
  /** Fenced or overtaken: nothing changed. Reload and decide again, or stop silently. */
  | { readonly kind: 'overtaken' }
  /** This run's values cannot be stored; nothing changed. `code` is the SQLSTATE, `unstorable` or `inconsistent`. */
  | { readonly kind: 'refused'; readonly code: string };

export interface TransitionOptions {
  /** How long a lost acknowledgement is looked up before giving up. */
  readonly deadlineMs?: number;
}

export type TransitionStore = Pick<Store, 'rows' | 'announce' | 'summon'>;

const OVERTAKEN: TransitionResult = { kind: 'overtaken' };

/**
 * Results in the order of the list; no run may be in it twice.
 * @throws StoreError `unavailable` where it could not be found out in time what became of
 *   the statement: the outcome is unknown, and so is every effect that it would have allowed.
 */
export async function transition(
  store: TransitionStore,
  list: readonly Transition[],
  { deadlineMs = 30_000 }: TransitionOptions = {},
): Promise<readonly TransitionResult[]> {
  const results: Results = new Map();
  const fenced = list.flatMap((one) => fenceOrRefuse(one, results));
  await commitUntilKnown(store, fenced, results, performance.now() + deadlineMs);
  tell(store, list.filter((one) => results.get(one.runId)?.kind === 'committed'));
  return list.map((one) => results.get(one.runId) ?? OVERTAKEN);
}

/** Its holder knows what it did; workers are called where a run waits for one, or where its end frees a directory. */
function tell(store: TransitionStore, committed: readonly Transition[]): void {
  const freed = (one: Transition): boolean => one.after.status === 'queued' || isTerminal(one.after.status);
  store.summon(...committed.filter(freed).map((one) => one.runId));
  store.announce(...committed.filter((one) => !freed(one)).map((one) => one.runId));
}

/** Within the caller's transaction, which holds the run's row: no retries, since those are the transaction's. */
export async function transitionWithin(sql: Sql, one: Transition): Promise<'committed' | 'overtaken'> {
  const moved = await sendTransitions(sql, bind([fence(one)]));
  return moved.has(one.runId) ? 'committed' : 'overtaken';
}

function fence(one: Transition): Fenced {
  return {
    run: one.runId,
    project: one.projectId,
    epoch: one.leaseEpoch,
    version: one.version,
    nonce: one.nonce,
    rows: projectRows(one),
  };
}

type Results = Map<string, TransitionResult>;

/** Events that do not lead to the given state are a bug of one run, and must not fail the others. */
function fenceOrRefuse(one: Transition, results: Results): Fenced[] {
  try {
    return [fence(one)];
  } catch {
    results.set(one.runId, { kind: 'refused', code: 'inconsistent' });
    return [];
  }
}

async function commitUntilKnown(sql: Sql, list: readonly Fenced[], results: Results, deadline: number): Promise<void> {
  let open = list;
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (attempt > 0) open = await settleByReading(sql, open, results);
      await commit(sql, open, results);
      // After an attempt of unknown outcome, zero rows may mean that the first one did commit.
      if (attempt > 0) await settleByReading(sql, open.filter(({ run }) => results.get(run)?.kind === 'overtaken'), results);
      return;
    } catch (error) {
      if (!isUnsettled(error) || performance.now() >= deadline) throw error;
      await sleep(jittered(Math.min(1_000, 20 * 2 ** attempt)));
    }
  }
}

const isUnsettled = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 'unavailable' || error.code === 'timeout');

async function commit(sql: Sql, list: readonly Fenced[], results: Results): Promise<void> {
  if (list.length === 0) return;
  try {
    const bound = bind(list);
    const moved = await retryConflicts(() => sendTransitions(sql, bound));
    for (const { run } of list) {
      const at = moved.get(run);
      results.set(run, at === undefined ? OVERTAKEN : { kind: 'committed', at });
    }
  } catch (error) {
    const code = refusalOf(error);
    if (code === null) throw error;
    const [first, ...rest] = list;
    if (first !== undefined && rest.length === 0) results.set(first.run, { kind: 'refused', code });
    // One run's bad data must not fail the others: each for itself, which tells whose it is.
    else for (const one of list) await commit(sql, [one], results);
  }
}

function refusalOf(error: unknown): string | null {
  if (error instanceof UnstorableError) return 'unstorable';
  return error instanceof StoreError && error.code === 'data' ? (error.sqlState ?? 'data') : null;
}
