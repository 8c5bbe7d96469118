/** Reasons for which a session takes nothing new, said the same way by every command. */
import { findLiveRun } from '@/lib/store/latest-root-run';
import type { LockedSession } from '@/lib/store/lock-session';
import type { RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { unreconciledCalls } from '@/lib/store/unreconciled-calls';
import { CommandError } from './command-error';

export function refuseLive(live: RunRow): never {
  throw new CommandError('run_live', `Run ${live.runId} of the session is ${live.status}.`, { run_id: live.runId, status: live.status });
}

/** Sub-agents' runs count: what they do belongs to the turn that is not over. */
export async function refuseAnyLive(sql: Sql, session: RunRow): Promise<void> {
  const live = await findLiveRun(sql, session);
  if (live !== null) refuseLive(live);
}

export function refuseUnkept(session: LockedSession): void {
  if (session.saveHistory) return;
  throw new CommandError('history_deleted', 'The history of this session was not kept, so that it cannot go on.', {
    session_id: session.sessionId,
  });
}

export async function refuseUnreconciled(sql: Sql, run: RunRow): Promise<void> {
  const unknown = await unreconciledCalls(sql, run);
  if (unknown.length === 0) return;
  throw new CommandError(
    'unreconciled',
    `It is not known whether ${unknown.length === 1 ? 'a call' : `${unknown.length} calls`} had an effect; that must be stated first.`,
    { run_id: run.runId, status: run.status, unknown_calls: [...unknown] },
  );
}
