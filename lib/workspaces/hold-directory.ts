/**
 * Opening what the path rule resolved, so that a swap between the look and the
 * open changes nothing outside.
 *
 * On Linux a directory is first pinned by a descriptor (O_PATH: nothing is read and
 * nothing can block), and the kernel is asked which path the descriptor has. Only
 * if that is the resolved path is it used, and then names are taken *below the
 * descriptor* (`/proc/self/fd/<n>/<name>`), never through the path again. The last
 * component is never followed as a link.
 *
 * Elsewhere there is no such view: the canonical path is compared before and after
 * the open, and the descriptor with what the path names. A swap exactly between two
 * such looks, by a process that runs at the same time, is not covered there.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from './path-rule';
import { errnoOf, refusalFromError, refusePath } from './path-refusal';
import type { PathRefusal } from './path-refusal';

/** Linux's O_PATH, which Node does not name. */
const O_PATH = 0o10000000;
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');

export interface HeldDirectory {
  readonly ok: true;
  readonly root: string;
  /** Canonical absolute path that was verified. */
  readonly absolute: string;
  /** A path to `name` in this very directory, for calls that take paths. `name` is one component. */
  at(name: string): string;
  entries(): Promise<Dirent[]>;
  /** Whether the held directory still is where it was found. */
  isInPlace(): Promise<boolean>;
  close(): void;
}

/** The caller closes what it gets. @param absolute canonical, inside `root`. */
export async function holdDirectory(root: string, absolute: string): Promise<HeldDirectory | PathRefusal> {
  let descriptor: number;
  try {
    const access = HAS_DESCRIPTOR_PATHS ? O_PATH : constants.O_RDONLY;
    // Synchronous as the walk is (path-rule.ts): a name looked up, nothing read.
    descriptor = openSync(absolute, access | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    return refusalFromError(error, path.relative(root, absolute) || '.');
  }
  const base = HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${descriptor}` : absolute;
  const held: HeldDirectory = {
    ok: true,
    root,
    absolute,
    at: (name) => `${base}/${name}`,
    // The trailing `/.` lists the held directory itself, not the link that names it.
    entries: () => readdir(`${base}/.`, { withFileTypes: true }),
    isInPlace: () => isAt(descriptor, absolute, root),
    close: () => closeSync(descriptor),
  };
  if (await held.isInPlace()) return held;
  closeSync(descriptor);
  return refusePath('changed_meanwhile', 'a directory of the path was replaced while it was opened');
}

async function isAt(descriptor: number, absolute: string, root: string): Promise<boolean> {
  try {
    if (HAS_DESCRIPTOR_PATHS) {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === absolute && isInside(root, absolute);
    }
    const [canonical, named, opened] = [await realpath(absolute), await lstat(absolute), fstatSync(descriptor)];
    return canonical === absolute && named.ino === opened.ino && named.dev === opened.dev && isInside(root, absolute);
  } catch {
    return false;
  }
}

export interface OpenedFile {
  readonly ok: true;
  /** Open for reading; the caller closes it. */
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens a regular file of a held directory. FIFOs, devices and sockets are never opened, links never followed. */
export async function openFileIn(directory: HeldDirectory, name: string): Promise<OpenedFile | PathRefusal> {
  const subject = path.relative(directory.root, path.join(directory.absolute, name));
  try {
    return HAS_DESCRIPTOR_PATHS ? await openPinned(directory, name, subject) : await openCompared(directory, name, subject);
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') return becameLink(subject);
    return refusalFromError(error, subject);
  }
}

async function openPinned(directory: HeldDirectory, name: string, subject: string): Promise<OpenedFile | PathRefusal> {
  const pin = openSync(directory.at(name), O_PATH | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(pin);
    const refusal = refuseKind(stats, subject);
    if (refusal !== null) return refusal;
    if (!isInside(directory.root, readlinkSync(`/proc/self/fd/${pin}`))) {
      return refusePath('changed_meanwhile', `${subject}: was moved while it was opened`);
    }
    // Opens the pinned inode again, for reading: no name is looked up any more.
    const handle = await open(`/proc/self/fd/${pin}`, constants.O_RDONLY | constants.O_NONBLOCK);
    return { ok: true, handle, stats };
  } finally {
    closeSync(pin);
  }
}

async function openCompared(directory: HeldDirectory, name: string, subject: string): Promise<OpenedFile | PathRefusal> {
  const before = refuseKind(await lstat(directory.at(name)), subject);
  if (before !== null) return before;
  const handle = await open(directory.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  const stats = await handle.stat();
  const named = await lstat(directory.at(name));
  const same = named.ino === stats.ino && named.dev === stats.dev && (await directory.isInPlace());
  const refusal = same ? refuseKind(stats, subject) : refusePath('changed_meanwhile', `${subject}: was replaced while it was opened`);
  if (refusal === null) return { ok: true, handle, stats };
  await handle.close();
  return refusal;
}

function refuseKind(stats: Stats, subject: string): PathRefusal | null {
  if (stats.isFile()) return null;
  if (stats.isSymbolicLink()) return becameLink(subject);
  if (stats.isDirectory()) return refusePath('not_a_file', `${subject}: is a directory`);
  const kind = stats.isFIFO() ? 'a FIFO' : stats.isSocket() ? 'a socket' : 'a device';
  return refusePath('not_a_file', `${subject}: is ${kind}, not a regular file`);
}

function becameLink(subject: string): PathRefusal {
  return refusePath('changed_meanwhile', `${subject}: became a symbolic link while it was opened`);
}
