import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { Actor } from '@/lib/domain/actor';
import { cleanJson } from '@/lib/domain/clean';
import { fingerprint } from '@/lib/domain/fingerprint';
import type { ProjectId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import { insertAuditEntry } from '@/lib/store/insert-audit-entry';
import { finishCommand, takeCommand } from '@/lib/store/record-command';
import type { Sql } from '@/lib/store/sql';
import { StoreError } from '@/lib/store/store-error';
import { CommandError } from './command-error';
import type { CommandContext } from './context';

export interface Command {
  readonly projectId: ProjectId;
  readonly commandId: string;
  readonly actor: Actor;
  readonly kind: string;
  /** All that the command says, and nothing of who sends it or from where. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What was done, as its first sender is told and every later one too. */
export interface Deed {
  /** What the audit names. */
  readonly target: string;
  readonly result: JsonValue;
  /** Runs that changed. */
  readonly runs: readonly string[];
  /** What the audit says besides who, what and of what. */
  readonly detail?: JsonValue;
}

const COMMAND_ID = /^[\x21-\x7e]{1,200}$/;
const PAYLOAD_LIMITS = { maxDepth: 64, maxBytes: 4 * 1024 * 1024 };
const PATIENCE_MS = 10_000;

/**
 * Carries a command out once (I8): the same id with the same payload gets the first
 * result, from any process and after any restart; with another payload nothing
 * changes. A command that is refused leaves nothing behind, not even its id.
 *
 * @param work decides and writes within the transaction; may run again.
 * @throws CommandError
 */
export async function carryOut<R>(
  context: CommandContext,
  command: Command,
  result: z.ZodType<R>,
  work: (sql: Sql) => Promise<Deed>,
): Promise<{ readonly result: R; readonly created: boolean }> {
  if (!COMMAND_ID.test(command.commandId)) {
    throw new CommandError('invalid', 'A command id has 1 to 200 printable ASCII characters without spaces.');
  }
  const identity = { ...command, fingerprint: fingerprintOf(command) };
  const done = await untilKnown(() =>
    context.store.transaction(async (sql) => {
      const first = await takeCommand(sql, identity);
      if (first !== null) {
        if (first.kind !== command.kind || first.fingerprint !== identity.fingerprint) throw reused(command, first.kind);
        return { value: first.result, created: false, runs: [] };
      }
      const deed = await work(sql);
      await insertAuditEntry(sql, {
        auditId: context.newId('aud'),
        projectId: command.projectId,
        actor: command.actor,
        action: command.kind,
        target: deed.target,
        commandId: command.commandId,
        detail: deed.detail ?? {},
      });
      await finishCommand(sql, identity, deed.result);
      return { value: deed.result, created: true, runs: deed.runs };
    }),
  );
  context.store.summon(...done.runs);
  return { result: result.parse(done.value), created: done.created };
}

/**
 * A lost acknowledgement is looked up by the command's own id, which is what carrying
 * it out again begins with (F9): if it did commit, its result is there.
 */
async function untilKnown<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let delay = 20; ; delay = Math.min(1_000, delay * 2)) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unavailable' || performance.now() >= deadline) throw error;
      await sleep(delay);
    }
  }
}

function fingerprintOf(command: Command): string {
  const cleaned = cleanJson({ kind: command.kind, payload: command.payload }, PAYLOAD_LIMITS);
  if (!cleaned.ok) throw new CommandError('invalid', `The request cannot be stored: ${cleaned.reason}.`);
  return fingerprint(cleaned.value);
}

function reused(command: Command, kind: string): CommandError {
  return new CommandError('command_reused', `The command id ${command.commandId} was used before, with other input.`, {
    command_id: command.commandId,
    kind,
  });
}
