import type { CallId, ProjectId, RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { RunSettings } from '@/lib/domain/run/settings';
import type { RunState } from '@/lib/domain/run/state';
import { latestRootRun } from '@/lib/store/latest-root-run';
import { readCallNames } from '@/lib/store/read-call-names';
import { readEventWindow } from '@/lib/store/read-event-window';
import { readFailures } from '@/lib/store/read-failures';
import { readGenerations, type Generation } from '@/lib/store/read-generations';
import { readNames } from '@/lib/store/read-names';
import { readRequestUsage, type RequestUsage } from '@/lib/store/read-request-usage';
import { readRunHead } from '@/lib/store/read-run-head';
import { readTold, type ToldMessage } from '@/lib/store/read-told';
import type { Sql } from '@/lib/store/sql';
import { turnTotals } from '@/lib/store/turn-totals';
import { unreconciledCalls } from '@/lib/store/unreconciled-calls';
import { runView, type RunView } from './run-view';
import { stateOfHead } from './state-of-head';

export type { Generation } from '@/lib/store/read-generations';
export type { RequestUsage } from '@/lib/store/read-request-usage';
export type { ToldMessage } from '@/lib/store/read-told';

/** A stretch of a log without a hole. */
export interface EventWindow {
  readonly events: readonly RunEvent[];
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
}

/** What the page of a run shows first; the browser folds on from `state.seq`. */
export interface RunPageView {
  readonly run: RunView;
  readonly state: RunState;
  readonly settings: RunSettings;
  readonly dispatch: 'worker' | 'local';
  readonly createdBy: string;
  /** Names of the people behind actors. */
  readonly names: Readonly<Record<string, string>>;
  /** Sums over the other runs of the turn. */
  readonly others: OtherTotals;
  readonly window: EventWindow;
  /** Of calls that were proposed before the window. */
  readonly earlierCalls: Readonly<Record<string, { readonly name: string }>>;
  /** Places of the latest failures. */
  readonly failures: readonly number[];
  readonly requests: readonly RequestUsage[];
  readonly told: readonly ToldMessage[];
  readonly generations: readonly Generation[];
  /** The run whose end is that of the session; this one, unless the session went on. */
  readonly latestRun: { readonly runId: RunId; readonly sameTurn: boolean };
  /** Calls of the turn that hold it back until a person says what is known of them. */
  readonly unreconciled: readonly CallId[];
}

const WINDOW = 200;
const FAILURES = 500;
const REQUESTS = 200;
const TOLD = 50;

/**
 * Costs the same whatever the length of the log: rows, sums by index, and the last
 * events (or those around `at`).
 * @param at a place in the log that must be in the window.
 * @returns null where the project has no such run.
 */
export async function runPage(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly runId: RunId; readonly at?: number },
): Promise<RunPageView | null> {
  const head = await readRunHead(sql, request);
  if (head === null) return null;
  const { row } = head;
  const { projectId, runId } = row;
  const upTo = request.at === undefined ? row.lastSeq : Math.min(row.lastSeq, Math.max(head.firstSeq, request.at) + WINDOW / 2);
  const [events, others, failures, requests, told, generations, latest, unreconciled] = await Promise.all([
    readEventWindow(sql, { projectId, runId, upTo, limit: WINDOW }),
    turnTotals(sql, { projectId, turnId: row.turnId, exceptRunId: runId }),
    readFailures(sql, { projectId, runId, limit: FAILURES }),
    readRequestUsage(sql, { projectId, runId, limit: REQUESTS }),
    readTold(sql, { projectId, runId, limit: TOLD }),
    readGenerations(sql, row),
    latestRootRun(sql, row),
    unreconciledCalls(sql, row),
  ]);
  const whole = row.completion === null ? await turnTotals(sql, { projectId, turnId: row.turnId, exceptRunId: null }) : null;
  const [earlierCalls, names] = await Promise.all([
    readCallNames(sql, { projectId, runId, callIds: callsFromBefore(events) }),
    readNames(sql, [row.createdBy, row.terminal?.cancelled?.by ?? '', ...events.flatMap(actorsOf)]),
  ]);
  return {
    run: runView(row, whole),
    state: stateOfHead(head),
    settings: row.settings,
    dispatch: row.dispatch,
    createdBy: row.createdBy,
    names,
    others,
    window: {
      events,
      hasEarlier: events.length === WINDOW && (events[0]?.seq ?? 0) > 1,
      hasLater: (events.at(-1)?.seq ?? 0) < row.lastSeq,
    },
    earlierCalls,
    failures,
    requests,
    told,
    generations,
    latestRun: { runId: latest?.runId ?? runId, sameTurn: latest === null || latest.turnId === row.turnId },
    unreconciled,
  };
}

/** Calls that events speak of and that were proposed before the first of them. */
function callsFromBefore(events: readonly RunEvent[]): readonly string[] {
  const proposed = new Set<string>();
  const before = new Set<string>();
  for (const { type, payload } of events) {
    if (type === 'tool.proposed') proposed.add(payload.call_id);
    else if ('call_id' in payload && !proposed.has(payload.call_id)) before.add(payload.call_id);
  }
  return [...before];
}

const actorsOf = ({ payload }: RunEvent): readonly string[] => [
  ...('actor' in payload && payload.actor !== undefined ? [payload.actor] : []),
  ...('by' in payload ? [payload.by] : []),
];
