import path from 'node:path';
import ts from 'typescript';

/**
 * The import rule: which part may know which. It keeps the core pure, the database
 * behind one door and every part replaceable. `check` is pure; the test beside runs
 * it over all sources.
 *
 * Paths are from the package root. A row's key is the longest one that holds the
 * file; a part may always import itself. Type-only imports count.
 */
interface Row {
  readonly imports: readonly string[];
  /** Of these only types. */
  readonly types?: readonly string[];
}

/** Settings are data that anybody may be handed; only the pure core must not know that they exist. */
const SETTINGS = ['lib/config'];
const EVERYTHING: Row = { imports: ['lib', 'app', 'components', 'e2e', 'prisma'] };

const ports: Row = { imports: ['lib/domain', 'lib/agent/ports', 'lib/config'] };
const verbs: Row = { imports: ['lib/domain', 'lib/store', 'lib/auth', 'lib/config', 'lib/evidence/redact'] };
const surface = ['lib/domain', 'lib/http', 'lib/commands', 'lib/queries', 'lib/live', 'lib/auth', 'lib/system', 'lib/sample', 'lib/evidence/redact'];

export const RULES: Readonly<Record<string, Row>> = {
  'lib/domain': { imports: [] },
  'lib/steering': { imports: ['lib/domain'] },
  'lib/agent': { imports: ['lib/domain', 'lib/steering'], types: SETTINGS },
  'lib/models': ports,
  'lib/tools': { imports: [...ports.imports, 'lib/workspaces'] }, // every path a tool touches goes through the path rule
  'lib/workspaces': ports,
  'lib/store': { imports: ['lib/domain', 'lib/config', 'lib/generated'] },
  'lib/generated': { imports: [] },
  'lib/evidence': { imports: ['lib/domain', 'lib/config'] },
  'lib/commands': verbs,
  'lib/queries': verbs,
  'lib/live': { imports: ['lib/domain'], types: ['lib/agent/ports', ...SETTINGS] }, // frame and feed run in the browser
  'lib/live/tail': { imports: [...verbs.imports, 'lib/live'] },
  'lib/worker': {
    imports: ['domain', 'steering', 'agent', 'models', 'tools', 'workspaces', 'store', 'evidence', 'commands', 'live', 'config'].map(
      (part) => `lib/${part}`,
    ),
  },
  'lib/http': { imports: ['lib/auth', 'lib/system', 'lib/domain'], types: SETTINGS },
  'lib/auth': { imports: ['lib/domain', 'lib/store', 'lib/config'] },
  'lib/notify': { imports: ['lib/domain', 'lib/store', 'lib/config'] },
  'lib/telemetry': { imports: ['lib/domain', 'lib/config'] },
  'lib/config': { imports: [] },
  'lib/sample': { imports: [], types: SETTINGS },
  'lib/cli': { imports: [...surface, 'lib/config'], types: ['lib/agent/ports'] }, // what the system streams to it
  'lib/system': EVERYTHING,
  'lib/testing': EVERYTHING,
  app: { imports: [...surface, 'components', 'app'], types: SETTINGS },
  components: { imports: ['lib/domain', 'lib/live/frame', 'lib/live/run-feed', 'lib/sample/sample-task'], types: ['lib/queries', ...SETTINGS] },
  e2e: EVERYTHING,
  prisma: { imports: [] },
};

/** Packages that only some parts may import. */
const PACKAGES: readonly { readonly name: RegExp; readonly only: readonly string[] }[] = [
  { name: /^next(\/|$)/, only: ['app', 'components', 'lib/http', 'lib/auth'] },
  { name: /^(prisma|@prisma\/[^/]+)(\/|$)/, only: ['lib/store', 'prisma'] },
];

/**
 * The pure core may import no package but these, and of some only the names that are
 * functions of their arguments: `node:crypto` hashes here, it does not draw. (`ulid` is
 * handed its time and its randomness.)
 */
const PURE_PACKAGES: Readonly<Record<string, readonly string[] | 'all'>> = {
  zod: 'all',
  canonicalize: 'all',
  ulid: ['ulid', 'encodeTime', 'decodeTime'],
  'node:crypto': ['createHash'],
};
const PURE = ['lib/domain', 'lib/steering'];

const NAMES_THAT_SAY_NOTHING = /^(utils?|helpers?|common|misc)(\.|$)/;

export interface Source {
  /** From the package root, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** What is wrong in `source`, each in a sentence; empty when nothing is. */
export function check(source: Source): string[] {
  const { file } = source;
  const nameless = file.split('/').filter((part) => NAMES_THAT_SAY_NOTHING.test(part));
  const violations = nameless.map((part) => `${file}: "${part}" does not say what it holds`);
  if (isTest(file)) return violations;
  const key = partOf(file);
  if (key === null) return [...violations, `${file}: no row of the import rule holds this folder`];
  for (const found of importsOf(source)) {
    const reason = refusal(key, file, found);
    if (reason !== null) violations.push(`${file}: ${reason}`);
  }
  return violations;
}

interface Import {
  readonly from: string;
  /** What is imported by name; null for all of it. */
  readonly names: readonly string[] | null;
  readonly typeOnly: boolean;
}

function refusal(key: string, file: string, found: Import): string | null {
  const { from, typeOnly } = found;
  const target = targetOf(file, from);
  if (target === null) return refusalOfPackage(key, found);
  const row = RULES[key];
  const allowed = [partFolder(key), ...(row?.imports ?? []), ...(typeOnly ? (row?.types ?? []) : [])];
  return allowed.some((part) => within(part, target)) ? null : `${key} may not import ${target}`;
}

function refusalOfPackage(key: string, { from, names }: Import): string | null {
  if (PURE.includes(key)) {
    const allowed = PURE_PACKAGES[from];
    const fits = allowed === 'all' || (allowed !== undefined && names?.every((name) => allowed.includes(name)));
    return fits === true ? null : `${key} is pure and may not import ${names?.join(', ') ?? 'all'} from ${from}`;
  }
  const limit = PACKAGES.find(({ name }) => name.test(from));
  return limit === undefined || limit.only.includes(key) ? null : `${from} belongs to ${limit.only.join(', ')} only`;
}

/** Tests import what they need, and so does what exists for tests only. */
function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.split('/').includes('testing');
}

function partOf(file: string): string | null {
  const keys = Object.keys(RULES).filter((key) => within(key, file));
  return keys.sort((a, b) => b.length - a.length)[0] ?? null;
}

/** A row for a single file within a folder (live/tail) still belongs to that folder. */
function partFolder(key: string): string {
  return key.split('/').slice(0, key.startsWith('lib/') ? 2 : 1).join('/');
}

function within(part: string, file: string): boolean {
  return file === part || file.startsWith(`${part}/`) || file.startsWith(`${part}.`);
}

/** The path from the package root that an import means; null for a package. */
function targetOf(file: string, from: string): string | null {
  if (from.startsWith('@/')) return from.slice(2);
  if (from.startsWith('.')) return path.posix.join(path.posix.dirname(file), from);
  return null;
}

function importsOf({ file, text }: Source): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, names: readonly string[] | null = null): void => {
    if (specifier && ts.isStringLiteralLike(specifier)) found.push({ from: specifier.text, names, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause), namesOf(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022));
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  return clause?.name === undefined && (namedElements(clause)?.every((element) => element.isTypeOnly) ?? false);
}

function namesOf(clause: ts.ImportClause | undefined): readonly string[] | null {
  if (clause?.name !== undefined) return null;
  return namedElements(clause)?.map((element) => (element.propertyName ?? element.name).text) ?? null;
}

function namedElements(clause: ts.ImportClause | undefined): readonly ts.ImportSpecifier[] | null {
  const bindings = clause?.namedBindings;
  return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : null;
}
