/**
 * The built-in model that replays a script: for the sample task, for tests and for
 * trying Pilothouse without a key. Everything else about a run is real.
 *
 * It has no state: which entry answers is said by the request (how many requests
 * of this task were settled before), so that a run goes on with the right entry in
 * another process. A request without an entry, or one that is not what the entry
 * expects, fails loudly (`script`, not retryable).
 */
import type { ModelOutcome, ModelPort, ModelRequest, RequestedCall } from '@/lib/agent/ports';
import type { ModelPrice, UsageReport } from '@/lib/domain/usage';
import { failureOf } from './classify-failure';
import { priceOf } from './prices';
import type { PriceTable } from './prices';
import type { Script, ScriptEntry } from './script';

/** It runs here and bills nobody, which is known. A table may give its model's name a price, to try budgets. */
export const FREE: ModelPrice = { input: 0, cachedInput: 0, output: 0 };

const PIECES = 4;

/** @param whenUnexpected told with a request that has no entry: how to get a model that answers, say. */
export function scriptedModel(script: Script, prices?: PriceTable, whenUnexpected = ''): ModelPort {
  return {
    async request(request) {
      const entry = script[request.taskRequestIndex];
      if (entry === undefined) {
        const message = `The script has ${script.length} entries and no entry for request ${request.taskRequestIndex + 1} of this task.`;
        return failedByScript('script_unexpected_request', `${message} ${whenUnexpected}`.trim());
      }
      const unmet = unmetExpectation(entry, request);
      if (unmet !== undefined) {
        return failedByScript('script_expectation', `Request ${request.taskRequestIndex + 1} of this task is not what the script expects: ${unmet}`);
      }
      return replay(entry, request);
    },
    price: (model) => priceOf(model, prices) ?? FREE,
    unfinished(settledRequests) {
      const unused = script.length - settledRequests;
      return unused <= 0
        ? null
        : failureOf('script', `The task ended after ${settledRequests} requests, and ${unused} of the script's ${script.length} entries were not used.`, {
            code: 'script_unused_entries',
          });
    },
  };
}

async function replay(entry: ScriptEntry, request: ModelRequest): Promise<ModelOutcome> {
  const pieces = [
    ...piecesOf(entry.reasoning).map((text) => ({ kind: 'reasoning', text }) as const),
    ...piecesOf(entry.text).map((text) => ({ kind: 'text', text }) as const),
  ];
  const pauseMs = entry.delay_ms / Math.max(1, pieces.length);
  let shown = '';
  if (pieces.length === 0) await pause(pauseMs, request.signal);
  for (const piece of pieces) {
    await pause(pauseMs, request.signal);
    if (request.signal.aborted) break;
    request.onDelta(piece);
    if (piece.kind === 'text') shown += piece.text;
  }
  if (request.signal.aborted) {
    return failed(failureOf('aborted', 'The request was aborted.'), { state: 'unknown', reason: 'aborted' }, shown);
  }

  const usage = usageOf(entry);
  if (entry.error !== undefined) {
    const { class: failureClass, code, message, retryable, retry_after_ms, http_status } = entry.error;
    const failure = failureOf(failureClass, message ?? 'The script says that this request fails.', {
      ...(code === undefined ? {} : { code }),
      ...(retryable === undefined ? {} : { retryable }),
      ...(retry_after_ms === undefined ? {} : { retryAfterMs: retry_after_ms }),
      ...(http_status === undefined ? {} : { httpStatus: http_status }),
    });
    return failed(failure, usage, entry.text);
  }
  const finishReason = entry.finish_reason ?? (entry.tool_calls.length > 0 ? 'tool_calls' : 'stop');
  return {
    kind: 'responded',
    text: entry.text,
    reasoning: entry.reasoning,
    calls: finishReason === 'length' ? [] : entry.tool_calls.map((call, position) => requestedCall(call, request, position)),
    finishReason,
    usage,
  };
}

function requestedCall(call: ScriptEntry['tool_calls'][number], request: ModelRequest, position: number): RequestedCall {
  return {
    providerCallId: call.id ?? `script_${request.taskRequestIndex + 1}_${position + 1}`,
    name: call.name,
    // What a script leaves empty means what a provider's "" means.
    arguments: typeof call.arguments === 'string' ? call.arguments || '{}' : JSON.stringify(call.arguments),
  };
}

function usageOf(entry: ScriptEntry): UsageReport {
  const usage = entry.usage;
  return usage === undefined || usage === null
    ? { state: 'unknown', reason: 'usage_missing' }
    : {
        state: 'known',
        inputTokens: usage.input_tokens,
        outputTokens: usage.output_tokens,
        cachedTokens: usage.cached_tokens,
        reasoningTokens: usage.reasoning_tokens,
      };
}

function unmetExpectation(entry: ScriptEntry, request: ModelRequest): string | undefined {
  const { last_message_includes: lastText, system_prompt_includes: systemText, tools_include: tools } = entry.expect ?? {};
  const last = request.messages.at(-1)?.text ?? '';
  if (lastText !== undefined && !last.includes(lastText)) return `the last message does not include ${JSON.stringify(lastText)}`;
  if (systemText !== undefined && !request.systemPrompt.includes(systemText)) {
    return `the system prompt does not include ${JSON.stringify(systemText)}`;
  }
  const missing = tools?.find((name) => !request.tools.some((tool) => tool.name === name));
  return missing === undefined ? undefined : `the tool ${JSON.stringify(missing)} is not offered`;
}

function failedByScript(code: string, message: string): ModelOutcome {
  // Nothing was asked of anyone, and that is known.
  const usage: UsageReport = { state: 'known', inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  return failed(failureOf('script', message, { code }), usage, '');
}

function failed(failure: ReturnType<typeof failureOf>, usage: UsageReport, partialText: string): ModelOutcome {
  return { kind: 'failed', failure, usage, partialText, frames: [] };
}

/** At most PIECES parts that add up to the text, none of them cut inside a character. */
function piecesOf(text: string): readonly string[] {
  const characters = Array.from(text);
  const size = Math.ceil(characters.length / PIECES);
  const starts = Array.from({ length: size === 0 ? 0 : Math.ceil(characters.length / size) }, (_, piece) => piece * size);
  return starts.map((start) => characters.slice(start, start + size).join(''));
}

/** Waits, or less when the signal fires. Never rejects. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
