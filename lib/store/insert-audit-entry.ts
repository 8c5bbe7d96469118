import { z } from 'zod';
import type { AuditId, ProjectId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { Sql } from './sql';
import { storableJson } from './storable-json';

const INSERT = `
INSERT INTO audit_entry (id, project_id, actor, action, target, command_id, detail) VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb)`;

/** Who did what, in the transaction of the deed (I15). */
export async function insertAuditEntry(
  sql: Sql,
  entry: {
    readonly auditId: AuditId;
    readonly projectId: ProjectId;
    readonly actor: string;
    readonly action: string;
    readonly target: string | null;
    readonly commandId: string | null;
    readonly detail: JsonValue;
  },
): Promise<void> {
  const { auditId, projectId, actor, action, target, commandId, detail } = entry;
  await sql.rows(z.never(), INSERT, auditId, projectId, actor, action, target, commandId, storableJson(detail));
}
