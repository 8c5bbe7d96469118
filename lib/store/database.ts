import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import { PrismaClient } from '@/lib/generated/prisma/client';
import { createAnnouncer } from './announce';
import { classifyError } from './classify-error';
import { connectionSettings, SILENCE_MS } from './connection-settings';
import { retryConflicts } from './retry';
import type { Sql, SqlValue } from './sql';

export interface Store extends Sql {
  /**
   * For commands and the sweeper, never on a run's way. `work` may run several times
   * (serialization failures, deadlocks): no effect outside `sql`.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Wakes whoever watches these runs, within about 20 ms. Never fails, never waits. */
  announce(...runIds: readonly string[]): void;
  /** The same, and calls whoever drives runs: something waits to be claimed, or a command from outside changed a run. */
  summon(...runIds: readonly string[]): void;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Connections at once. */
  readonly poolSize?: number;
  /** How long a server that says nothing is waited for. */
  readonly silenceMs?: number;
}

/** The part of Prisma's client that statements go through; within a transaction it has no more. */
interface RawClient {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
}

/** Does not connect: the first statement does. */
export function openStore(url: string, { poolSize = 10, silenceMs = SILENCE_MS }: StoreOptions = {}): Store {
  const adapter = new PrismaPg(
    { ...connectionSettings(url, silenceMs), max: poolSize },
    { statementNameGenerator: statementNames(), onPoolError: () => undefined, onConnectionError: () => undefined },
  );
  const prisma = new PrismaClient({ adapter });
  const sql = sqlOver(prisma);
  const watchers = createAnnouncer(sql, 'run');
  const workers = createAnnouncer(sql, 'work');

  return {
    rows: sql.rows,
    transaction: (work) => retryConflicts(() => transactionOver(prisma, work)),
    announce: (...runIds) => watchers.announce(runIds),
    summon: (...runIds) => {
      workers.announce(runIds);
      watchers.announce(runIds);
    },
    async close() {
      await Promise.all([watchers.close(), workers.close()]);
      await prisma.$disconnect();
    },
  };
}

function sqlOver(client: RawClient): Sql {
  return {
    async rows<R>(row: z.ZodType<R>, text: string, ...values: readonly SqlValue[]): Promise<R[]> {
      let result: unknown;
      try {
        result = await client.$queryRawUnsafe(text, ...values);
      } catch (error) {
        throw classifyError(error);
      }
      return z.array(row).parse(result);
    },
  };
}

async function transactionOver<T>(prisma: PrismaClient, work: (sql: Sql) => Promise<T>): Promise<T> {
  let own: { readonly error: unknown } | undefined;
  try {
    return await prisma.$transaction(
      async (client) => {
        try {
          return await work(sqlOver(client));
        } catch (error) {
          own = { error };
          throw error;
        }
      },
      { maxWait: SILENCE_MS, timeout: 2 * SILENCE_MS },
    );
  } catch (error) {
    // What `work` threw passes as it is; the rest is about BEGIN, COMMIT and the connection.
    throw own !== undefined && own.error === error ? error : classifyError(error);
  }
}

/**
 * Names make the driver prepare a statement once a connection. Bounded, because a
 * prepared statement stays in the server for as long as its connection.
 */
function statementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= 500) return ''; // not prepared
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}
