import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error';

const KEY_BYTES = 32;

/**
 * The key of that name in the data directory, made when there is none: 32 random
 * bytes that only the owner may read. Processes that start at once get the same
 * key, and none ever reads a half-written one: each writes a file of its own and
 * the first to link it to the name has made the key.
 *
 * Throws when the file exists and is not a key: to replace it would make what it
 * sealed unreadable for ever.
 *
 * @throws ConfigurationError when the system lets nobody read or make the file: the
 * data directory is on a read-only disk, say, or another user's.
 */
export function readSecretKey(dataDirectory: string, name: string): Buffer {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new TypeError('a key name has lower-case letters, digits and dashes');
  const path = join(dataDirectory, `${name}.key`);
  const key = orRefuse(dataDirectory, () => readIfThere(path) ?? createOrRead(dataDirectory, path));
  if (key.length !== KEY_BYTES) throw new Error(`the key file ${name}.key does not hold ${KEY_BYTES} bytes`);
  return key;
}

function orRefuse(directory: string, read: () => Buffer): Buffer {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new ConfigurationError('PILOTHOUSE_DATA_DIR', `must be a directory that can be written, but ${directory} is not: ${error.message}`);
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    const key = readFileSync(path);
    // A restored copy may have come back readable for others.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return key;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function createOrRead(directory: string, path: string): Buffer {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const key = randomBytes(KEY_BYTES);
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.draft`;
  try {
    writeWhole(draft, key);
    linkSync(draft, path);
    return key;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return readFileSync(path);
    throw error;
  } finally {
    removeIfThere(draft);
  }
}

/** On disk before it has its name: after a power cut the key is whole or absent. */
function writeWhole(path: string, bytes: Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
