import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPackageRoot } from '@/lib/config/package-root';
import type { Source } from './import-rule';
import { check } from './import-rule';

const packageRoot = findPackageRoot();
const TOP_LEVEL = ['app', 'components', 'e2e', 'lib', 'prisma'];
/** Made by tools, or the material of a sample run: not source of ours. */
const NOT_OURS = ['lib/generated', 'lib/sample/repository'];

function sourcesBelow(folder: string): Source[] {
  if (NOT_OURS.includes(folder) || !existsSync(path.join(packageRoot, folder))) return [];
  return readdirSync(path.join(packageRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesBelow(file);
    return /\.(ts|tsx|mts|mjs)$/.test(entry.name) ? [{ file, text: readFileSync(path.join(packageRoot, file), 'utf8') }] : [];
  });
}

describe('the import rule', () => {
  test('holds in every source', () => {
    const sources = TOP_LEVEL.flatMap(sourcesBelow);
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.flatMap(check)).toEqual([]);
  });

  // Without these, a checker that sees no import would pass.
  test.each([
    ['lib/domain/run/status.ts', "import { openDatabase } from '@/lib/store/open-database';", /lib\/domain may not import lib\/store/],
    ['lib/domain/run/status.ts', "import { openDatabase } from '../../store/open-database';", /may not import lib\/store\/open-database/],
    ['lib/domain/run/status.ts', "import type { Configuration } from '@/lib/config/environment';", /may not import lib\/config/],
    ['lib/domain/id.ts', "import { randomUUID } from 'node:crypto';", /pure/],
    ['lib/domain/id.ts', "import { readFileSync } from 'node:fs';", /pure/],
    ['lib/steering/prompt.ts', "import pg from 'pg';", /pure/],
    ['lib/agent/run-round.ts', "import { read } from '@/lib/tools/read-file';", /lib\/agent may not import lib\/tools/],
    ['lib/agent/run-round.ts', "import { configurationOf } from '@/lib/config/environment';", /lib\/config/],
    ['lib/tools/edit.ts', "import { loop } from '@/lib/agent/run-round';", /lib\/agent\/run-round/],
    ['lib/worker/main.ts', "const http = await import('@/lib/http/route');", /lib\/http/],
    ['lib/worker/main.ts', "export { runs } from '../queries/runs';", /lib\/queries/],
    ['lib/cli/main.ts', "import { transition } from '@/lib/store/transition';", /lib\/store/],
    ['lib/commands/submit-run.ts', "import { PrismaClient } from '@/lib/generated/prisma/client';", /lib\/generated/],
    ['lib/commands/submit-run.ts', "import { PrismaPg } from '@prisma/adapter-pg';", /belongs to lib\/store/],
    ['lib/commands/submit-run.ts', "import { seal } from '@/lib/evidence/seal';", /lib\/evidence\/seal/],
    ['lib/store/transition.ts', "import { cookies } from 'next/headers';", /next\/headers belongs to/],
    ['lib/live/run-feed.ts', "import { openDatabase } from '@/lib/store/open-database';", /lib\/store/],
    ['components/run/status.tsx', "import { runs } from '@/lib/queries/runs';", /lib\/queries/],
    ['lib/newcomer/thing.ts', '', /no row/],
    ['lib/store/utils.ts', '', /does not say/],
    ['lib/helpers/clock.ts', '', /does not say/],
  ])('is broken by %s with %s', (file, text, reason) => {
    const violations = check({ file, text });
    expect(violations.join('\n')).toMatch(reason);
  });

  test.each([
    ['lib/domain/id.ts', "import { z } from 'zod'; import type { Json } from './json';"],
    ['lib/domain/fingerprint.ts', "import { createHash } from 'node:crypto';"],
    ['lib/agent/run-round.ts', "import type { Configuration } from '@/lib/config/environment'; import { decide } from '../domain/run/decide';"],
    ['lib/tools/edit.ts', "import type { Tool } from '@/lib/agent/ports';"],
    ['lib/store/transition.ts', "import { PrismaClient } from '@/lib/generated/prisma/client';"],
    ['lib/live/tail.ts', "import { frame } from './frame'; import { redact } from '@/lib/evidence/redact/text';"],
    ['components/run/status.tsx', "import type { RunView } from '@/lib/queries/run-view'; import Link from 'next/link';"],
    ['lib/tools/edit.test.ts', "import { openDatabase } from '@/lib/store/open-database';"],
    ['lib/system.ts', "import { openDatabase } from './store/open-database';"],
  ])('is kept by %s with %s', (file, text) => {
    expect(check({ file, text })).toEqual([]);
  });
});
