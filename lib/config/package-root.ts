import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const Manifest = z.object({ name: z.string().optional() });

/**
 * The directory of Pilothouse's own package.json, seen from `from` (a module's
 * `import.meta.url`).
 *
 * Walking up and looking at the name works from a source file and from a bundle
 * under node_modules/.cache/pilothouse/<hash>/ alike; counting `..` would not, and
 * the working directory says nothing (the executable works from any folder).
 */
export function findPackageRoot(from: string = import.meta.url): string {
  let directory = path.dirname(fileURLToPath(from));
  for (;;) {
    if (isPilothouse(path.join(directory, 'package.json'))) return directory;
    const parent = path.dirname(directory);
    if (parent === directory) throw new Error(`no package.json named "pilothouse" above ${fileURLToPath(from)}`);
    directory = parent;
  }
}

function isPilothouse(manifestFile: string): boolean {
  if (!existsSync(manifestFile)) return false;
  try {
    return Manifest.parse(JSON.parse(readFileSync(manifestFile, 'utf8'))).name === 'pilothouse';
  } catch {
    // Somebody else's broken package.json on the way up is not ours to report.
    return false;
  }
}
