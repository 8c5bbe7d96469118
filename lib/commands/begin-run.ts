import { decide } from '@/lib/domain/run/decide';
import type { RunId } from '@/lib/domain/id';
import { evolve } from '@/lib/domain/run/evolve';
import type { InputOf } from '@/lib/domain/run/input';
import type { RunState } from '@/lib/domain/run/state';
import type { RunEventBody } from '@/lib/domain/run/event';
import { insertRun, type NewRun } from '@/lib/store/insert-run';
import type { Sql } from '@/lib/store/sql';

/** Decides a run's birth and stores it, state and first events together (I2). */
export async function beginRun(
  sql: Sql,
  input: InputOf<'submit'>,
  run: Omit<NewRun, 'state' | 'events' | 'origin' | 'createdBy'>,
): Promise<RunState> {
  const decision = decide(null, input);
  if (!decision.ok) throw new Error('a submission is never refused');
  const { reason } = input.first;
  const state = born(run.runId, decision.events);
  await insertRun(sql, { ...run, origin: reason, createdBy: input.actor, state, events: decision.events });
  return state;
}

function born(runId: RunId, events: readonly RunEventBody[]): RunState {
  let state: RunState | null = null;
  let seq = 0;
  for (const event of events) state = evolve(state, runId, { ...event, seq: ++seq });
  if (state === null) throw new Error('a run begins with run.queued');
  return state;
}
