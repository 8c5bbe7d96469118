import { z } from 'zod';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { instant, integer } from './columns';
import type { RunRef } from './read-run';
import type { Sql } from './sql';

/** An event as it is stored: passed on as it is, so that a reader of a newer log does not fail on what it does not know. */
export interface StoredEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: unknown;
  readonly timestamp: string;
}

/** What a run's row says about the end of its log. */
export interface LogState {
  readonly status: RunStatus;
  readonly isChild: boolean;
  /** `session.completed` is in the log. */
  readonly atRest: boolean;
  /** It was interrupted and goes on as another run. */
  readonly continues: boolean;
  readonly lastSeq: number;
}

export interface LogPage {
  readonly state: LogState;
  /** Fewer than asked for: these are all so far. */
  readonly events: readonly StoredEvent[];
}

/** In one statement, so that state and events are of one moment: a reader told "ended" has every event of the end. */
const READ = `
SELECT r.status, r.last_seq, r.parent_run_id IS NOT NULL AS is_child, r.completion IS NOT NULL AS at_rest,
       r.terminal #> '{interrupted,continues_as}' IS NOT NULL AS continues, e.seq, e.type, e.payload, e.created_at
  FROM run r
  LEFT JOIN LATERAL (
    SELECT seq, type, payload, created_at FROM run_event WHERE run_id = r.id AND seq > $3 ORDER BY seq LIMIT $4
  ) e ON true
 WHERE r.project_id = $1 AND r.id = $2
 ORDER BY e.seq`;

const row = z.object({
  status: z.enum(RUN_STATUSES),
  last_seq: integer,
  is_child: z.boolean(),
  at_rest: z.boolean(),
  continues: z.boolean(),
  seq: integer.nullable(),
  type: z.string().nullable(),
  payload: z.unknown(),
  created_at: instant.nullable(),
});

/** State and events above `after`, at most `limit`; null where the project has no such run. */
export async function readLog(sql: Pick<Sql, 'rows'>, ref: RunRef, after: number, limit: number): Promise<LogPage | null> {
  const rows = await sql.rows(row, READ, ref.projectId, ref.runId, after, limit);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    state: {
      status: first.status,
      isChild: first.is_child,
      atRest: first.at_rest,
      continues: first.continues,
      lastSeq: first.last_seq,
    },
    events: rows.flatMap(({ seq, type, payload, created_at }): StoredEvent[] =>
      seq === null || type === null || created_at === null ? [] : [{ seq, type, payload, timestamp: created_at.toISOString() }],
    ),
  };
}
