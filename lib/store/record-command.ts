import { z } from 'zod';
import type { ProjectId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { Sql } from './sql';
import { storableJson } from './storable-json';

export interface CommandIdentity {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly kind: string;
  readonly fingerprint: string;
  readonly actor: string;
}

/** Who comes second under one id waits here until the first has committed or rolled back. */
const TAKE = `
INSERT INTO command (project_id, command_id, kind, fingerprint, actor, result) VALUES ($1, $2, $3, $4, $5, 'null'::jsonb)
ON CONFLICT DO NOTHING
RETURNING true AS taken`;

const READ = `SELECT kind, fingerprint, result FROM command WHERE project_id = $1 AND command_id = $2`;

const FINISH = `UPDATE command SET result = $3::jsonb WHERE project_id = $1 AND command_id = $2`;

const storedCommand = z.object({ kind: z.string(), fingerprint: z.string(), result: z.custom<JsonValue>() });
export type StoredCommand = z.infer<typeof storedCommand>;

/**
 * Takes the command's id for this transaction (I8).
 * @returns null when it is ours, else the command that had it first.
 */
export async function takeCommand(sql: Sql, command: CommandIdentity): Promise<StoredCommand | null> {
  const { projectId, commandId, kind, fingerprint, actor } = command;
  const taken = await sql.rows(z.object({ taken: z.boolean() }), TAKE, projectId, commandId, kind, fingerprint, actor);
  if (taken.length > 0) return null;
  const [stored] = await sql.rows(storedCommand, READ, projectId, commandId);
  if (stored === undefined) throw new Error('a command is neither new nor there');
  return stored;
}

/** What a repetition of the command will get. */
export async function finishCommand(sql: Sql, command: CommandIdentity, result: JsonValue): Promise<void> {
  await sql.rows(z.never(), FINISH, command.projectId, command.commandId, storableJson(result));
}
