import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** PostgreSQL's one-byte type "char", which its catalogue is full of and which Prisma's adapter does not know. */
const CHAR_OID = 18;
const BPCHAR_OID = 1042;

export interface EngineAdapter {
  readonly factory: ReturnType<typeof bindMigrationAwareSqlAdapterFactory>;
  /** Closes what the engine left open; shadow databases are dropped with their connection. */
  dispose(): Promise<void>;
}

/**
 * Lets Prisma's schema engine work through `pg`. Prisma's own adapter is made for
 * queries and has four faults here, each mended below where it says so.
 */
export function engineAdapter(url: string): EngineAdapter {
  const open = new Set<SqlDriverAdapter>();
  const keep = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
    open.add(adapter);
    const dispose = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      if (open.delete(adapter)) await dispose();
    };
    return adapter;
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: async () => keep(await connect(url, async () => undefined)),
    connectToShadowDb: async () => keep(await connectToShadow(url)),
  };
  return {
    factory: bindMigrationAwareSqlAdapterFactory(factory),
    dispose: async () => {
      for (const adapter of [...open]) await adapter.dispose();
    },
  };
}

/** The stock factory takes the main database for its shadow, and wipes it. This one makes a database and drops it. */
async function connectToShadow(url: string): Promise<SqlDriverAdapter> {
  const name = `pilothouse_shadow_${randomUUID()}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
  } catch (error) {
    await admin.end();
    throw error;
  }
  const shadow = new URL(url);
  shadow.pathname = `/${name}`;
  return connect(shadow.href, async () => {
    await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    await admin.end();
  });
}

async function connect(url: string, afterwards: () => Promise<void>): Promise<SqlDriverAdapter> {
  // One session, so that advisory locks and SETs hold from one statement to the next.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  const adapter: SqlDriverAdapter = knowingChar(await new PrismaPg(pool).connect());
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (level) => knowingChar(await startTransaction(level));
  // The stock one splits the script at every semicolon, those in functions and strings too.
  adapter.executeScript = async (script) => {
    await pool.query(script);
  };
  adapter.dispose = async () => {
    await pool.end();
    await afterwards();
  };
  return adapter;
}

/** The part of Prisma's adapter between the query and its typed result. */
interface Performing {
  performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }>;
}

function isPerforming(adapter: object): adapter is Performing {
  return 'performIO' in adapter && typeof adapter.performIO === 'function';
}

/** Reports "char" columns as `Character`: shown to the adapter as a type it knows, then named rightly to the engine. */
function knowingChar<T extends SqlQueryable>(adapter: T): T {
  if (!isPerforming(adapter)) throw new Error('this version of @prisma/adapter-pg is built differently');
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  const charColumns = new WeakMap<SqlQuery, number[]>();
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    charColumns.set(query, result.fields.flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : [])));
    for (const field of result.fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = BPCHAR_OID;
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(query) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
}
