import { z } from 'zod';
import type { ProjectId, RunId } from '@/lib/domain/id';
import { EVENT_TYPES, type EventType } from '@/lib/domain/run/event';
import { id, instant, integer } from './columns';
import type { Sql } from './sql';

export interface Progress {
  readonly rounds: number;
  readonly lastEvent: EventType | null;
  readonly lastEventAt: string | null;
}

const READ = `
SELECT r.id, m.rounds, e.type, e.created_at
  FROM run r
 CROSS JOIN LATERAL (SELECT count(*) AS rounds FROM model_request q WHERE q.run_id = r.id AND q.status = 'responded') m
  LEFT JOIN run_event e ON e.run_id = r.id AND e.seq = r.last_seq
 WHERE r.project_id = $1 AND r.id = ANY($2)`;

const row = z.object({ id: id<RunId>(), rounds: integer, type: z.enum(EVENT_TYPES as [EventType, ...EventType[]]).nullable(), created_at: instant.nullable() });

/** How far runs have come. */
export async function readProgress(
  sql: Sql,
  request: { readonly projectId: ProjectId; readonly runIds: readonly RunId[] },
): Promise<ReadonlyMap<RunId, Progress>> {
  if (request.runIds.length === 0) return new Map();
  const rows = await sql.rows(row, READ, request.projectId, request.runIds);
  return new Map(
    rows.map((found) => [found.id, { rounds: found.rounds, lastEvent: found.type, lastEventAt: found.created_at?.toISOString() ?? null }]),
  );
}
