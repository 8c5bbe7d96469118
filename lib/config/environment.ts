import path from 'node:path';
import type { z } from 'zod';
import { ConfigurationError } from './configuration-error';
import { findPackageRoot } from './package-root';
import { Variables } from './variables';

/** Everything that Pilothouse is told from outside, parsed. All paths are absolute. */
export interface Configuration {
  readonly packageRoot: string;
  readonly dataDirectory: string;
  readonly database: { readonly kind: 'embedded' } | { readonly kind: 'external'; readonly url: string };
  readonly web: { readonly port: number; readonly host: string };
  readonly auth: {
    readonly secret: string | undefined;
    readonly url: string | undefined;
    /** A provider by which people may sign in besides passwords. */
    readonly oidc: OidcSettings | undefined;
  };
  /** API token that the first admin gets on the first start. */
  readonly adminToken: string | undefined;
  /** Directories in which workspaces may lie. The CLI also allows its own folder, unless roots are given. */
  readonly workspaceRoots: { readonly server: readonly string[]; readonly cli: readonly string[] };
  /** The default model endpoint; without any of the three the scripted model is meant. */
  readonly model: {
    readonly apiKey: string | undefined;
    readonly baseUrl: string | undefined;
    readonly name: string | undefined;
    readonly idleSeconds: number;
    readonly retries: number;
    /** JSON file of extra prices. */
    readonly pricesFile: string | undefined;
  };
  readonly workers: { readonly processes: number; readonly runsPerProcess: number; readonly leaseSeconds: number };
  readonly stall: {
    readonly first: number;
    readonly repeat: number;
    readonly end: number;
    readonly repeatCalls: number;
  };
  readonly cancelGraceSeconds: number;
  readonly children: { readonly depth: number; readonly breadth: number };
  readonly approvalTimeoutSeconds: number;
  /** A control plane elsewhere that the CLI talks to. */
  readonly remote: { readonly url: string | undefined; readonly token: string | undefined };
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the sign-in page calls it. */
  readonly name: string;
}

/** Where the process is: the only things besides the environment that settings depend on. */
export interface Surroundings {
  readonly packageRoot: string;
  readonly cwd: string;
}

/**
 * The environment as a `Configuration`. Pure: reads no file and no clock.
 * @throws ConfigurationError for the first variable that is not valid.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>, around: Surroundings): Configuration {
  const parsed = Variables.safeParse(env);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigurationError(String(issue?.path[0] ?? 'environment'), issue?.message ?? 'is not valid');
  }
  const variables = parsed.data;
  if (variables.PILOTHOUSE_STALL_END < variables.PILOTHOUSE_STALL_FIRST) {
    throw new ConfigurationError(
      'PILOTHOUSE_STALL_END',
      `must not be less than PILOTHOUSE_STALL_FIRST (${variables.PILOTHOUSE_STALL_FIRST}), but is ${variables.PILOTHOUSE_STALL_END}`,
    );
  }
  const absolute = (file: string): string => path.resolve(around.cwd, file);
  const dataDirectory =
    variables.PILOTHOUSE_DATA_DIR === undefined
      ? path.join(around.packageRoot, '.pilothouse')
      : absolute(variables.PILOTHOUSE_DATA_DIR);
  const givenRoots = variables.PILOTHOUSE_WORKSPACE_ROOTS?.split(':').filter((root) => root !== '').map(absolute);
  const ownRoot = path.join(dataDirectory, 'workspaces');

  return {
    packageRoot: around.packageRoot,
    dataDirectory,
    database:
      variables.DATABASE_URL === undefined ? { kind: 'embedded' } : { kind: 'external', url: variables.DATABASE_URL },
    web: { port: variables.PORT, host: variables.HOST ?? '127.0.0.1' },
    auth: { secret: variables.AUTH_SECRET, url: variables.AUTH_URL, oidc: oidcFrom(variables) },
    adminToken: variables.PILOTHOUSE_ADMIN_TOKEN,
    workspaceRoots: { server: givenRoots ?? [ownRoot], cli: givenRoots ?? [ownRoot, path.resolve(around.cwd)] },
    model: {
      apiKey: variables.OPENAI_API_KEY,
      baseUrl: variables.OPENAI_BASE_URL,
      name: variables.PILOTHOUSE_MODEL,
      idleSeconds: variables.PILOTHOUSE_MODEL_IDLE_SECONDS,
      retries: variables.PILOTHOUSE_MODEL_RETRIES,
      pricesFile: variables.PILOTHOUSE_PRICES === undefined ? undefined : absolute(variables.PILOTHOUSE_PRICES),
    },
    workers: {
      processes: variables.PILOTHOUSE_WORKERS,
      runsPerProcess: variables.PILOTHOUSE_RUNS_PER_WORKER,
      leaseSeconds: variables.PILOTHOUSE_LEASE_SECONDS,
    },
    stall: {
      first: variables.PILOTHOUSE_STALL_FIRST,
      repeat: variables.PILOTHOUSE_STALL_REPEAT,
      end: variables.PILOTHOUSE_STALL_END,
      repeatCalls: variables.PILOTHOUSE_REPEAT_CALLS,
    },
    cancelGraceSeconds: variables.PILOTHOUSE_CANCEL_GRACE_SECONDS,
    children: { depth: variables.PILOTHOUSE_CHILD_DEPTH, breadth: variables.PILOTHOUSE_CHILD_BREADTH },
    approvalTimeoutSeconds: variables.PILOTHOUSE_APPROVAL_TIMEOUT_SECONDS,
    remote: { url: variables.PILOTHOUSE_URL, token: variables.PILOTHOUSE_TOKEN },
  };
}

/** All three or none: a provider that is set up in part would fail when somebody signs in. */
function oidcFrom(variables: z.infer<typeof Variables>): OidcSettings | undefined {
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_ID: clientId, AUTH_OIDC_SECRET: clientSecret } = variables;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  const needed = { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_ID: clientId, AUTH_OIDC_SECRET: clientSecret };
  const missing = Object.entries(needed).find(([, value]) => value === undefined)?.[0];
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new ConfigurationError(missing ?? 'AUTH_OIDC_ISSUER', 'is missing: a sign-in provider needs AUTH_OIDC_ISSUER, AUTH_OIDC_ID and AUTH_OIDC_SECRET');
  }
  return { issuer, clientId, clientSecret, name: variables.AUTH_OIDC_NAME ?? 'single sign-on' };
}

let ofThisProcess: Configuration | undefined;

/** This process's own configuration, read at the first call: importing must not fail on a bad variable. */
export function configurationOf(): Configuration {
  ofThisProcess ??= readEnvironment(process.env, { packageRoot: findPackageRoot(), cwd: process.cwd() });
  return ofThisProcess;
}
