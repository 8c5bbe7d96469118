import path from 'node:path';
import type { Stats } from 'node:fs';
import { holdDirectory, openFileIn } from './hold-directory';
import type { ResolvedPath } from './path-rule';
import { refusalFromError, refusePath } from './path-refusal';
import type { PathRefusal } from './path-refusal';

export interface FileContent {
  readonly ok: true;
  readonly bytes: Buffer;
  /** As it was when opened; `replaceFile` compares it before it replaces. */
  readonly stats: Stats;
}

/**
 * The whole content of a regular file inside `root`.
 * @param maxBytes larger files are refused (`too_large`), also those that grow while they are read.
 */
export async function readWorkspaceFile(
  root: string,
  resolved: ResolvedPath,
  maxBytes: number,
): Promise<FileContent | PathRefusal> {
  if (resolved.kind === 'missing') return refusePath('not_found', `${resolved.relative}: there is no such file`);
  if (resolved.relative === '.') return refusePath('not_a_file', '.: is a directory');
  const directory = await holdDirectory(root, path.dirname(resolved.absolute));
  if (!directory.ok) return directory;
  try {
    const opened = await openFileIn(directory, path.basename(resolved.absolute));
    if (!opened.ok) return opened;
    try {
      const bytes = await readBounded(opened.handle, opened.stats.size, maxBytes);
      if (bytes === null) {
        return refusePath('too_large', `${resolved.relative}: ${opened.stats.size} bytes, more than the ${maxBytes} that are read`);
      }
      return { ok: true, bytes, stats: opened.stats };
    } finally {
      await opened.handle.close();
    }
  } catch (error) {
    return refusalFromError(error, resolved.relative);
  } finally {
    directory.close();
  }
}

type Readable = { read(buffer: Buffer, offset: number, length: number): Promise<{ bytesRead: number }> };

/** null when there is more than `maxBytes`. The size is only a hint: files of /proc kind say 0. */
async function readBounded(handle: Readable, sizeHint: number, maxBytes: number): Promise<Buffer | null> {
  if (sizeHint > maxBytes) return null;
  let buffer = Buffer.allocUnsafe(Math.min(sizeHint, maxBytes) + 1);
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length > maxBytes) return null;
      const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2 + 4_096, maxBytes + 1));
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
}
