import { randomUUID } from 'node:crypto';
import type { RunId } from '@/lib/domain/id';
import { after, decide } from '@/lib/domain/run/decide';
import type { RunState } from '@/lib/domain/run/state';
import { countContinuations } from '@/lib/store/count-continuations';
import { findExpired, takeExpired } from '@/lib/store/find-expired';
import { foldTo } from '@/lib/store/load-run-state';
import { readRun, type RunRef, type RunRow } from '@/lib/store/read-run';
import type { Sql } from '@/lib/store/sql';
import { transitionWithin } from '@/lib/store/transition';
import { turnTotals } from '@/lib/store/turn-totals';
import type { CommandContext } from './context';
import { beginNextGeneration } from './next-generation';

export interface Expired {
  readonly runId: RunId;
  readonly status: 'interrupted' | 'cancelled';
  /** The next generation, where the run goes on by itself. */
  readonly continuesAs: RunId | null;
}

const AT_ONCE = 100;
/** A run that dies of its own work would otherwise go on dying for ever (domain.md §3). */
const CONTINUATIONS = 3;

/**
 * Ends the runs whose lease has run out: what was in flight is `unknown`, a run in work
 * is `interrupted`, one that was being cancelled is `cancelled`. Safe with any number of
 * sweepers at once: each run is taken by one, in a transaction of its own, so that one
 * run's trouble does not keep the others from their end.
 *
 * @throws the first run's failure, after all were tried.
 */
export async function expireLeases(context: CommandContext): Promise<readonly Expired[]> {
  const ended: Expired[] = [];
  const failures: unknown[] = [];
  for (const ref of await findExpired(context.store, AT_ONCE)) {
    try {
      const one = await context.store.transaction((sql) => expire(sql, context, ref));
      if (one === null) continue;
      ended.push(one);
      context.store.summon(one.runId, ...(one.continuesAs === null ? [] : [one.continuesAs]));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return ended;
}

async function expire(sql: Sql, { newId }: CommandContext, ref: RunRef): Promise<Expired | null> {
  if (!(await takeExpired(sql, ref))) return null;
  const row = await readRun(sql, ref);
  if (row === null) return null;
  const before = await foldTo(sql, row);
  const others = await turnTotals(sql, { projectId: row.projectId, turnId: row.turnId, exceptRunId: row.runId });

  const alone = decide(before, { type: 'expire_lease', others });
  if (!alone.ok) throw new Error(`an expired lease of ${row.runId} means nothing while it is ${row.status}`);
  const goesOn = await mayGoOn(sql, row, after(before, alone.events));
  const continuesAs = goesOn ? newId('run') : null;
  const decision = continuesAs === null ? alone : decide(before, { type: 'expire_lease', others, continuesAs });
  if (!decision.ok) throw new Error('the same input was refused the second time');

  const state = after(before, decision.events);
  await transitionWithin(sql, {
    projectId: row.projectId,
    runId: row.runId,
    leaseEpoch: row.leaseEpoch,
    version: row.version,
    nonce: randomUUID(),
    before,
    after: state,
    events: decision.events,
  });
  if (continuesAs !== null) {
    await beginNextGeneration(sql, {
      runId: continuesAs,
      ended: row,
      state,
      kind: 'continue',
      commandId: newId('cmd'),
      actor: 'system',
      dispatch: { kind: 'worker' },
      inheritsWorkspace: row.holdsWorkspace,
    });
  }
  return { runId: row.runId, status: state.status === 'cancelled' ? 'cancelled' : 'interrupted', continuesAs };
}

/**
 * By itself only where nothing is in doubt, never a local process' run, and not for
 * ever. A queued local run had not begun and goes nowhere either.
 */
async function mayGoOn(sql: Sql, row: RunRow, ended: RunState): Promise<boolean> {
  if (row.status !== 'running' || row.dispatch !== 'worker' || ended.unknownEffects.length > 0) return false;
  return (await countContinuations(sql, row)) < CONTINUATIONS;
}
