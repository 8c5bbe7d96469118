import { z } from 'zod';
import { integer } from '../columns';
import type { Sql } from '../sql';

export const WINDOW_MINUTES = 15;
/** More rows than this are not kept; those with the fewest attempts go first. */
const MOST_ROWS = 10_000;

/**
 * Counted before the attempt is made, so that many at once cannot all be the last
 * allowed one. Keys in order: two statements lock the same rows in the same order.
 */
const COUNT = `
INSERT INTO sign_in_attempt AS a (key, attempts, since)
SELECT k, 1, now() FROM unnest($1::text[]) AS k ORDER BY k
ON CONFLICT (key) DO UPDATE SET
  attempts = CASE WHEN a.since <= now() - interval '${WINDOW_MINUTES} minutes' THEN 1 ELSE least(a.attempts + 1, 1000000) END,
  since = CASE WHEN a.since <= now() - interval '${WINDOW_MINUTES} minutes' THEN now() ELSE a.since END
RETURNING a.key, a.attempts, greatest(1, ceil(extract(epoch FROM a.since + interval '${WINDOW_MINUTES} minutes' - now())))::int AS seconds_left`;

const FORGET = `DELETE FROM sign_in_attempt WHERE key = $1`;
const GIVE_BACK = `UPDATE sign_in_attempt SET attempts = attempts - 1 WHERE key = $1 AND attempts > 0`;
const PRUNE_OLD = `DELETE FROM sign_in_attempt WHERE since <= now() - interval '${WINDOW_MINUTES} minutes'`;
const PRUNE_MANY = `
DELETE FROM sign_in_attempt
 WHERE (SELECT count(*) FROM sign_in_attempt) > ${MOST_ROWS}
   AND key IN (SELECT key FROM sign_in_attempt ORDER BY attempts DESC, since DESC OFFSET ${MOST_ROWS})`;

export interface CountedAttempts {
  readonly key: string;
  /** In the present window, this one included. */
  readonly attempts: number;
  /** Until the window is over. */
  readonly secondsLeft: number;
}

const row = z
  .object({ key: z.string(), attempts: integer, seconds_left: integer })
  .transform((found): CountedAttempts => ({ key: found.key, attempts: found.attempts, secondsLeft: found.seconds_left }));

export async function countAttempt(sql: Sql, keys: readonly string[]): Promise<readonly CountedAttempts[]> {
  await sql.rows(z.never(), PRUNE_OLD);
  await sql.rows(z.never(), PRUNE_MANY);
  return sql.rows(row, COUNT, keys);
}

/** After a success: the account's failures are forgotten. */
export async function forgetAttempts(sql: Sql, key: string): Promise<void> {
  await sql.rows(z.never(), FORGET, key);
}

/** After a success: this attempt was no failure; those before it at the same address stay counted. */
export async function giveBackAttempt(sql: Sql, key: string): Promise<void> {
  await sql.rows(z.never(), GIVE_BACK, key);
}
