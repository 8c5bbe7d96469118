import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { MigrationList, SchemaContainer, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { findPackageRoot } from '@/lib/config/package-root';
import { engineAdapter } from './engine-adapter';
import { migrationsDirectory, readMigrations } from './read-migrations';

const ENGINE = '@prisma/schema-engine-wasm/schema_engine_bg';
const NO_FILTERS = { externalTables: [], externalEnums: [] };

export interface MigrationSources {
  readonly schemaFile: string;
  readonly directory: string;
}

export function ownSources(): MigrationSources {
  return { schemaFile: path.join(findPackageRoot(), 'prisma', 'schema.prisma'), directory: migrationsDirectory() };
}

/**
 * The SQL that leads from what the migrations make to what schema.prisma says, or
 * null when they agree. Uses a shadow database on the server of `url`; the database
 * itself is not touched.
 */
export async function migrationsToSchema(url: string, sources: MigrationSources): Promise<string | null> {
  const schema = await readSchema(sources);
  return withEngine(url, schema, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'migrations', ...(await migrationList(sources.directory)) },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: true,
      filters: NO_FILTERS,
    });
    return exitCode === 0 ? null : (stdout ?? '');
  });
}

/** How far the database at `url` is, as Prisma's engine sees it. */
export async function diagnose(url: string, sources: MigrationSources) {
  const schema = await readSchema(sources);
  return withEngine(url, schema, async (engine) =>
    engine.diagnoseMigrationHistory({
      migrationsList: await migrationList(sources.directory),
      optInToShadowDatabase: false,
      filters: NO_FILTERS,
    }),
  );
}

async function withEngine<T>(url: string, schema: SchemaContainer, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const adapter = engineAdapter(url);
  try {
    const Engine = await (loading ??= loadEngine());
    const engine = await Engine.new({ datamodels: [[schema.path, schema.content]] }, () => undefined, adapter.factory);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await adapter.dispose();
  }
}

/** Once a process: the package's glue keeps views of one instance's memory and breaks over a second. */
let loading: Promise<typeof SchemaEngine> | undefined;

/**
 * Instantiates the WebAssembly by hand, because Node 20 cannot import it. The
 * engine's timers are unreferenced on the way: it never clears the ten seconds it
 * allows for its lock, and the process would stay that long.
 */
async function loadEngine(): Promise<typeof SchemaEngine> {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => process.stderr.write(`schema engine: ${message}\n`) },
  });
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const imports: Record<string, WebAssembly.ImportValue> = {};
  for (const [name, value] of Object.entries(engine) as [string, unknown][]) {
    if (typeof value !== 'function') continue;
    imports[name] = name.startsWith('__wbg_setTimeout_') ? unreferencedTimeout : (value);
  }
  const file = path.join(path.dirname(createRequire(import.meta.url).resolve(ENGINE)), 'schema_engine_bg.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(file), { './schema_engine_bg.js': imports });
  start(engine, instance.exports);
  return engine.SchemaEngine;
}

function unreferencedTimeout(callback: () => void, delay: number): NodeJS.Timeout {
  return setTimeout(callback, delay >>> 0).unref();
}

/** The two steps that bundlers generate; the package's types do not mention them. */
function start(engine: object, exports: WebAssembly.Exports): void {
  const begin = exports.__wbindgen_start;
  if (!('__wbg_set_wasm' in engine) || typeof engine.__wbg_set_wasm !== 'function' || typeof begin !== 'function') {
    throw new Error('this version of @prisma/schema-engine-wasm is built differently');
  }
  (engine.__wbg_set_wasm as (wasm: WebAssembly.Exports) => void)(exports);
  (begin as () => void)();
}

async function readSchema({ schemaFile }: MigrationSources): Promise<SchemaContainer> {
  return { path: schemaFile, content: await readFile(schemaFile, 'utf8') };
}

async function migrationList(directory: string): Promise<MigrationList> {
  const migrations = await readMigrations(directory);
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: await readFile(path.join(directory, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
