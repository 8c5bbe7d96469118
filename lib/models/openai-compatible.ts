/**
 * The model port over any OpenAI-compatible endpoint: one attempt, streaming, no
 * retries. Sends (endpoint.ts), reads (body-reader.ts into read-completion.ts)
 * and watches the time (watch-attempt.ts); every end is an outcome.
 */
import type { ModelOutcome, ModelPort, ModelRequest } from '@/lib/agent/ports';
import { bodyReader } from './body-reader';
import type { BodyReader } from './body-reader';
import { chatRequest } from './chat-request';
import { failureOf } from './classify-failure';
import { deltaFeed } from './delta-feed';
import { dialectOf } from './dialect';
import type { Dialect } from './dialect';
import { failureOfThrown, framesOfThrown, OPENAI_BASE_URL, openEndpoint } from './endpoint';
import { frameRing } from './frame-ring';
import { priceOf } from './prices';
import type { PriceTable } from './prices';
import { completionReader } from './read-completion';
import type { AttemptFacts, ReadingEnd } from './read-completion';
import { LATE_USAGE_MS, watchAttempt } from './watch-attempt';
import { withoutKey } from './without-key';

export interface OpenAiCompatibleSettings {
  readonly apiKey?: string | undefined;
  /** Default: OpenAI's own. */
  readonly baseUrl?: string | undefined;
  /** Silence that ends an attempt. Default 300. */
  readonly idleSeconds?: number | undefined;
  readonly lateUsageMs?: number | undefined;
  readonly prices?: PriceTable | undefined;
  readonly dialect?: Dialect | undefined;
}

export const DEFAULT_IDLE_SECONDS = 300;

export function openAiCompatibleModel(settings: OpenAiCompatibleSettings): ModelPort {
  const apiKey = settings.apiKey?.trim() ?? '';
  const baseUrl = settings.baseUrl ?? OPENAI_BASE_URL;
  const dialect = settings.dialect ?? dialectOf(baseUrl);
  const endpoint = openEndpoint(apiKey, baseUrl);
  const idleMs = (settings.idleSeconds ?? DEFAULT_IDLE_SECONDS) * 1_000;
  const lateUsageMs = settings.lateUsageMs ?? LATE_USAGE_MS;

  const attempt = async (request: ModelRequest): Promise<ModelOutcome> => {
    const watch = watchAttempt(request.signal, idleMs, lateUsageMs);
    const reader = completionReader();
    const ring = frameRing();
    const deltas = deltaFeed((delta) => {
      if (watch.end() === undefined) request.onDelta(delta);
    });
    let facts: AttemptFacts = {};
    let body: BodyReader | undefined;

    const exchange = async (): Promise<ReadingEnd> => {
      try {
        const response = await endpoint.post(chatRequest(request, dialect), watch.signal);
        facts = { httpStatus: response.status, providerRequestId: response.headers.get('x-request-id') ?? undefined };
        body = bodyReader(response.headers.get('content-type'), reader, ring, deltas.push);
        return (await readAll(response, body)) ?? body.end();
      } catch (error) {
        for (const frame of framesOfThrown(error)) ring.push(frame);
        return { kind: 'failed', failure: failureOfThrown(error, Date.now()) };
      }
    };
    const readAll = async (response: Response, into: BodyReader): Promise<ReadingEnd | undefined> => {
      if (response.body === null) return undefined;
      const bytes = response.body.getReader();
      for (;;) {
        const { done, value } = await bytes.read();
        // Patience is over and the outcome given: what the transport still delivers is nobody's.
        if (watch.end() !== undefined) return { kind: 'late' };
        if (done) return undefined;
        watch.heard();
        const end = into.push(value);
        if (end !== undefined) return end;
        if (reader.isFinished()) watch.finished();
      }
    };

    try {
      // The race, not the transport's own obedience, is what settles an abort in time.
      const first = watch.end() === undefined ? await Promise.race([exchange(), watch.over]) : undefined;
      const end = watch.end() ?? first ?? { kind: 'late' };
      if (end.kind === 'failed') body?.cut();
      // A last event that only lacks its blank line is not lost to the wait for what follows it.
      if (end.kind === 'late') body?.end();
      deltas.flush();
      return withoutKey(reader.settle(end, { ...facts, frames: ring.frames() }), apiKey);
    } finally {
      watch.stop();
    }
  };

  return {
    request: (request) => attempt(request).catch((error: unknown) => ofDefect(error, apiKey)),
    price: (model) => priceOf(model, settings.prices),
    unfinished: () => null,
  };
}

/** The port never rejects: a defect of ours is an outcome too, and not worth a retry. */
function ofDefect(error: unknown, apiKey: string): ModelOutcome {
  const message = error instanceof Error ? error.message : String(error);
  const failure = failureOf('provider_error', `The response could not be read: ${message}`, { code: 'adapter_defect', retryable: false });
  return withoutKey(
    { kind: 'failed', failure, usage: { state: 'unknown', reason: 'adapter_defect' }, partialText: '', frames: [] },
    apiKey,
  );
}

