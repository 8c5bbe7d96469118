/**
 * Sends one request over the `openai` SDK: its authentication, addresses and
 * headers. The body of the answer is ours to read (body-reader.ts says why), and a
 * refusal is read here: the SDK drops what is not under an `error` key, and would
 * read an error page without bound.
 */
import OpenAI from 'openai';
import type { JsonValue } from '@/lib/domain/json';
import type { ProviderFailure } from '@/lib/domain/failure';
import { classOf, failureOf } from './classify-failure';
import { MAX_FRAME_BYTES } from './frame-ring';
import { patientDispatcher } from './patient-dispatcher';
import { readError } from './read-error';
import { readRetryAfter } from './retry-after';

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** The SDK's own timer ends only the wait for headers; the watch of the attempt goes before it. */
const SDK_TIMEOUT_MS = 2_000_000_000;

export interface Endpoint {
  /** Resolves with a 2xx response whose body nobody has read. @throws Refusal, or what the connection threw. */
  post(body: Readonly<Record<string, JsonValue>>, signal: AbortSignal): Promise<Response>;
}

/** An answer outside 2xx, with the beginning of its body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly bodyText: string,
  ) {
    super(`HTTP ${status}`);
  }
}

/** @param apiKey empty: no Authorization header is sent, as local endpoints expect. */
export function openEndpoint(apiKey: string, baseUrl: string): Endpoint {
  const client = new OpenAI({
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: baseUrl,
    // Stated, since the SDK would look into the environment for what is not.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    // Each attempt is an entry in the ledger, so retries are ours.
    maxRetries: 0,
    logLevel: 'off',
    timeout: SDK_TIMEOUT_MS,
    fetch: async (url, init) => {
      const dispatcher = patientDispatcher();
      const options: object = dispatcher === undefined ? {} : { dispatcher };
      const response = await fetch(url, { ...init, ...options });
      if (response.ok) return response;
      throw new Refusal(response.status, response.headers, await beginningOf(response));
    },
  });
  const headers = apiKey === '' ? { Authorization: null } : {};
  return {
    post: (body, signal) => client.post('/chat/completions', { body, signal, headers }).asResponse(),
  };
}

/** What an error thrown by `post`, or by reading the body, says about the attempt. */
export function failureOfThrown(error: unknown, nowMs: number): ProviderFailure {
  const chain = causesOf(error);
  const refusal = chain.find((cause) => cause instanceof Refusal);
  if (refusal !== undefined) return failureOfRefusal(refusal, nowMs);
  const code = chain.map((cause) => (cause as { code?: unknown }).code).find((value) => typeof value === 'string');
  const deepest = chain.at(-1);
  const message = `The connection to the provider failed: ${deepest === undefined || deepest.message === '' ? (code ?? 'no reason given') : deepest.message}`;
  return TIMEOUT_CODES.has(code ?? '') ? failureOf('timeout', message, { code: code ?? 'timeout' }) : failureOf('connection', message, code === undefined ? {} : { code });
}

/** The body of the refusal in the chain, as evidence. */
export function framesOfThrown(error: unknown): readonly string[] {
  const refusal = causesOf(error).find((cause) => cause instanceof Refusal);
  return refusal === undefined || refusal.bodyText === '' ? [] : [refusal.bodyText];
}

/** Limits of Node's own HTTP client. */
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function failureOfRefusal(refusal: Refusal, nowMs: number): ProviderFailure {
  const report = readError(parsed(refusal.bodyText));
  const failureClass = classOf(report, refusal.status);
  const retryAfterMs = readRetryAfter(refusal.headers, nowMs);
  const requestId = refusal.headers.get('x-request-id') ?? report.requestId;
  const said = report.message ?? (refusal.bodyText.trim() === '' ? 'no body' : refusal.bodyText.trim());
  return failureOf(failureClass, `HTTP ${refusal.status}: ${said}`, {
    code: report.codes[0] ?? failureClass,
    httpStatus: refusal.status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(requestId === undefined ? {} : { providerRequestId: requestId }),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length >= MAX_FRAME_BYTES) break;
    }
  } catch {
    // The status is known and says enough; what came of the body is kept.
  }
  return text.slice(0, MAX_FRAME_BYTES);
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 8; at = at.cause) chain.push(at);
  return chain;
}
