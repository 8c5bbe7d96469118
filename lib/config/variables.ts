import { z } from 'zod';

/**
 * One schema a variable. A message completes the sentence "<NAME> …": it says what
 * is wrong and what is valid. Only `wholeNumber` and `origin` quote the value they
 * refuse; what may hold a secret is never quoted.
 */

/** Absent and empty mean the same: CI systems set what they do not know to ''. */
function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

function wholeNumber(fallback: number, minimum: number, maximum: number) {
  return optional(
    z.string().transform((text, context) => {
      const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return value;
      context.addIssue(`must be a whole number from ${minimum} to ${maximum}, but is ${JSON.stringify(text.slice(0, 40))}`);
      return z.NEVER;
    }),
  ).transform((value) => value ?? fallback);
}

function secret(minimumLength: number) {
  return optional(z.string().min(minimumLength, `is too short: it must have at least ${minimumLength} characters`));
}

function httpOrigin() {
  return optional(
    z.string().refine((text) => protocolOf(text) === 'http:' || protocolOf(text) === 'https:', {
      error: 'is not an address: it must begin with http:// or https://',
    }),
  );
}

const databaseUrl = optional(
  z.string().refine((text) => protocolOf(text) === 'postgresql:' || protocolOf(text) === 'postgres:', {
    error: 'is not a PostgreSQL address: it must look like postgresql://user:password@host:5432/database',
  }),
);

function protocolOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).protocol : null;
}

const text = optional(z.string().trim().min(1, 'must not be blank'));

export const Variables = z.object({
  DATABASE_URL: databaseUrl,
  PILOTHOUSE_DATA_DIR: text,
  PORT: wholeNumber(3000, 0, 65_535),
  HOST: text,
  AUTH_SECRET: secret(16),
  AUTH_URL: httpOrigin(),
  AUTH_OIDC_ISSUER: httpOrigin(),
  AUTH_OIDC_ID: text,
  AUTH_OIDC_SECRET: optional(z.string()),
  AUTH_OIDC_NAME: text,
  PILOTHOUSE_ADMIN_TOKEN: secret(16),
  PILOTHOUSE_WORKSPACE_ROOTS: text,
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: httpOrigin(),
  PILOTHOUSE_MODEL: text,
  PILOTHOUSE_WORKERS: wholeNumber(1, 1, 64),
  PILOTHOUSE_RUNS_PER_WORKER: wholeNumber(16, 1, 1_000),
  PILOTHOUSE_LEASE_SECONDS: wholeNumber(15, 3, 3_600),
  PILOTHOUSE_STALL_FIRST: wholeNumber(15, 1, 100_000),
  PILOTHOUSE_STALL_REPEAT: wholeNumber(5, 1, 100_000),
  PILOTHOUSE_STALL_END: wholeNumber(40, 1, 100_000),
  PILOTHOUSE_REPEAT_CALLS: wholeNumber(3, 1, 1_000),
  PILOTHOUSE_MODEL_IDLE_SECONDS: wholeNumber(300, 1, 86_400),
  PILOTHOUSE_MODEL_RETRIES: wholeNumber(5, 0, 100),
  PILOTHOUSE_CANCEL_GRACE_SECONDS: wholeNumber(10, 0, 600),
  PILOTHOUSE_CHILD_DEPTH: wholeNumber(3, 0, 20),
  PILOTHOUSE_CHILD_BREADTH: wholeNumber(8, 0, 100),
  PILOTHOUSE_APPROVAL_TIMEOUT_SECONDS: wholeNumber(3_600, 1, 30 * 86_400),
  PILOTHOUSE_PRICES: text,
  PILOTHOUSE_URL: httpOrigin(),
  PILOTHOUSE_TOKEN: optional(z.string()),
});
