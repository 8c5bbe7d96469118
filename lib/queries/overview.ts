import { actorOf, type Principal } from '@/lib/auth/principal';
import { LIVE_STATUSES, RUN_STATUSES, isTerminal } from '@/lib/domain/run/status';
import { includesRole } from '@/lib/domain/role';
import { dayUsage, type PeriodUsage } from '@/lib/store/day-usage';
import { listRunRows, type RunFilter } from '@/lib/store/list-runs';
import { listWaitingRuns } from '@/lib/store/list-waiting-runs';
import { readNames } from '@/lib/store/read-names';
import { readProgress, type Progress } from '@/lib/store/read-progress';
import type { RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { totalsOfTurns } from '@/lib/store/turn-totals';
import { runView, type RunView } from './run-view';

export type { PeriodUsage } from '@/lib/store/day-usage';
export type { Progress } from '@/lib/store/read-progress';

export interface Overview {
  /** Runs that rest until the one who looks does something. */
  readonly needsMe: readonly RunView[];
  readonly live: readonly (RunView & { readonly progress: Progress | null })[];
  readonly ended: readonly RunView[];
  readonly today: PeriodUsage;
  readonly names: Readonly<Record<string, string>>;
  /** The project has never had a run. */
  readonly isNew: boolean;
}

const TERMINAL = RUN_STATUSES.filter(isTerminal);
const MOST = 20;

/** What somebody sees who comes to the console. */
export async function overview(sql: Sql, principal: Principal): Promise<Overview> {
  const { projectId } = principal;
  const filter: RunFilter = {
    projectId,
    statuses: null,
    sessionId: null,
    q: null,
    since: null,
    children: false,
    createdBy: null,
    before: null,
    limit: MOST,
  };
  const [waiting, live, ended, today] = await Promise.all([
    listWaitingRuns(sql, { projectId, createdBy: actorsOfMine(principal), limit: MOST }),
    listRunRows(sql, { ...filter, statuses: LIVE_STATUSES }),
    listRunRows(sql, { ...filter, statuses: TERMINAL, limit: 8 }),
    dayUsage(sql, projectId),
  ]);
  const rows = [...waiting, ...live, ...ended];
  const [view, progress, names] = await Promise.all([
    viewer(sql, principal, rows),
    readProgress(sql, { projectId, runIds: live.map((row) => row.runId) }),
    readNames(sql, rows.map((row) => row.createdBy)),
  ]);
  return {
    needsMe: waiting.map(view),
    live: live.map((row) => ({ ...view(row), progress: progress.get(row.runId) ?? null })),
    ended: ended.map(view),
    today,
    names,
    isNew: rows.length === 0,
  };
}

/** What was started on this machine's command line is nobody's in particular: an admin's to look after. */
function actorsOfMine(principal: Principal): readonly string[] {
  return [actorOf(principal), ...(includesRole(principal.role, 'admin') ? ['local'] : [])];
}

async function viewer(sql: Sql, { projectId }: Principal, rows: readonly RunRow[]): Promise<(row: RunRow) => RunView> {
  const open = rows.filter((row) => row.completion === null).map((row) => row.turnId);
  const totals = await totalsOfTurns(sql, { projectId, turnIds: [...new Set(open)] });
  return (row) => runView(row, totals.get(row.turnId) ?? null);
}
