/**
 * Reads one chat completion: parsed chunks of a stream, or one JSON body, in;
 * one outcome out. Pure: no I/O, no clock. One body is one completion, whatever
 * ids its chunks carry, and only the choice with index 0 is read.
 *
 *   fed               | meaning
 *   ------------------|---------------------------------------------------------
 *   a finish_reason   | terminal evidence; chunks may follow (late usage)
 *   done()            | `[DONE]`: terminal evidence, nothing follows
 *   an error          | the attempt failed, whatever else is read; usage may follow
 *   settle(end)       | why reading stopped; with no evidence by then, it failed
 *
 * No call of an attempt without terminal evidence is ever returned.
 */
import type { FinishReason, ModelDelta, ModelOutcome } from '@/lib/agent/ports';
import type { ProviderFailure, ProviderFailureClass } from '@/lib/domain/failure';
import type { UsageReport } from '@/lib/domain/usage';
import { isBlank } from '@/lib/domain/visible';
import { assembleCalls } from './assemble-calls';
import { classOf, failureOf } from './classify-failure';
import { fieldsOf, isPresent, listOf, textOf } from './json-fields';
import { findError, readError } from './read-error';
import type { ErrorReport } from './read-error';
import { readPieces } from './read-pieces';
import { readUsage } from './read-usage';
import type { ReportedUsage } from './read-usage';

/** Why no more is read. `ended`: `[DONE]`, or the body's own end. `late`: the wait for usage is over. */
export type ReadingEnd =
  | { readonly kind: 'ended' }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

export interface CompletionReader {
  /** One parsed chunk. Returns what it adds for whoever watches. */
  chunk(value: unknown): readonly ModelDelta[];
  /** The whole answer of an endpoint that does not stream. Feed it once, and nothing else. */
  body(value: unknown): readonly ModelDelta[];
  /** An event named `error`, its data parsed where it is JSON. */
  errorEvent(value: unknown): void;
  done(): void;
  /** Nothing that follows can change the outcome. */
  isOver(): boolean;
  /** A finish_reason or an error was read: only usage is still of interest. */
  isFinished(): boolean;
  settle(end: ReadingEnd, attempt?: AttemptFacts): ModelOutcome;
}

/** What the transport knows beside the body. */
export interface AttemptFacts {
  readonly frames?: readonly string[];
  readonly httpStatus?: number;
  readonly providerRequestId?: string | undefined;
}

/** Reasons with which a provider says that the answer was not finished. All others end it. */
const FAILING_REASONS: Readonly<Record<string, ProviderFailureClass>> = {
  content_filter: 'content_filter',
  error: 'provider_error',
  insufficient_system_resource: 'overload',
};

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  // The words of other endpoints for the same.
  max_tokens: 'length',
  model_length: 'length',
};

export function completionReader(): CompletionReader {
  const calls = assembleCalls();
  let text = '';
  let reasoning = '';
  let finishReason: string | undefined;
  let done = false;
  let error: ErrorReport | undefined;
  let malformed: string | undefined;
  let usage: ReportedUsage | undefined;
  /** The last usage came with or after the end of the answer, so it is not a lower bound. */
  let usageIsFinal = false;
  let completionId: string | undefined;

  const takeUsage = (value: unknown, isFinal: boolean): void => {
    const report = readUsage(value);
    if (report === null) return;
    usage = report;
    usageIsFinal = isFinal;
  };

  const take = (value: unknown, whole: boolean): readonly ModelDelta[] => {
    const chunk = fieldsOf(value);
    if (chunk === null) {
      malformed ??= 'The response holds JSON that is not an object.';
      return [];
    }
    completionId ??= textOf(chunk['id']);
    error ??= findError(chunk) ?? undefined;

    const choice = firstChoice(chunk['choices']);
    const pieces = readPieces(fieldsOf(choice?.['delta']) ?? fieldsOf(choice?.['message']));
    // A whole answer holds each call once; some endpoints give them all the index 0 there.
    pieces.calls.forEach((call, position) => calls.add(whole ? { ...call, index: position } : call));
    text += pieces.text;
    reasoning += pieces.reasoning;
    finishReason = textOf(choice?.['finish_reason']) ?? finishReason;

    const isFinal = whole || error !== undefined || finishReason !== undefined;
    const inThisChunk = [chunk['usage'], fieldsOf(chunk['x_groq'])?.['usage'], choice?.['usage']];
    takeUsage(inThisChunk.find(isPresent), isFinal);
    const deltas: ModelDelta[] = [];
    if (pieces.reasoning !== '') deltas.push({ kind: 'reasoning', text: pieces.reasoning });
    if (pieces.text !== '') deltas.push({ kind: 'text', text: pieces.text });
    return deltas;
  };

  const usageReport = (complete: boolean, absent: string): UsageReport => {
    if (usage === undefined) return { state: 'unknown', reason: absent };
    if (!usage.valid) return { state: 'unknown', reason: usage.reason };
    return { state: complete ? 'known' : 'estimated', ...usage.counts };
  };

  return {
    chunk: (value) => take(value, false),
    body(value) {
      const deltas = take(value, true);
      // A JSON body that could be parsed is whole: that is its evidence.
      if (Array.isArray(fieldsOf(value)?.['choices'])) done = true;
      else if (error === undefined) malformed ??= 'The JSON body is no chat completion: it has no choices.';
      return deltas;
    },
    errorEvent(value) {
      error ??= findError(value) ?? readError(value);
      takeUsage(fieldsOf(value)?.['usage'], true);
    },
    done() {
      done = true;
    },
    isOver: () => done || malformed !== undefined,
    isFinished: () => finishReason !== undefined || error !== undefined,

    settle(end, attempt = {}) {
      const providerRequestId = attempt.providerRequestId ?? completionId;
      const origin = {
        ...(attempt.httpStatus === undefined ? {} : { httpStatus: attempt.httpStatus }),
        ...(providerRequestId === undefined ? {} : { providerRequestId }),
      };
      const failed = (failure: ProviderFailure, complete: boolean, absent: string): ModelOutcome => ({
        kind: 'failed',
        failure: { ...origin, ...failure },
        usage: usageReport(complete, absent),
        partialText: text,
        frames: attempt.frames ?? [],
      });
      const hasEvidence = done || finishReason !== undefined;

      // An abort, and what could not be parsed, go before everything that was read.
      if (end.kind === 'failed' && (end.failure.class === 'aborted' || end.failure.class === 'malformed')) {
        return failed(end.failure, false, end.failure.class === 'aborted' ? 'aborted' : 'malformed');
      }
      if (malformed !== undefined) return failed(failureOf('malformed', malformed), false, 'malformed');
      if (error !== undefined) return failed(failureOfReport(error), usageIsFinal, 'provider_error');
      if (!hasEvidence) {
        const failure =
          end.kind === 'failed'
            ? end.failure
            : failureOf('incomplete', 'The response ended before its end: neither a finish_reason nor [DONE] came.');
        return failed(failure, false, failure.class);
      }

      const complete = usageIsFinal || end.kind === 'ended';
      const reason = finishReason?.toLowerCase();
      const failingClass = own(FAILING_REASONS, reason);
      if (failingClass !== undefined) {
        const failure = failureOf(failingClass, `The provider ended the response with finish_reason "${reason ?? ''}".`, {
          code: reason ?? failingClass,
        });
        return failed(failure, complete, 'usage_missing');
      }
      const known = own(FINISH_REASONS, reason) ?? 'unknown';
      const requested = calls.requested();
      if (known === 'unknown' && isBlank(text) && requested.length === 0) {
        const ending = reason === undefined ? 'no finish_reason' : `finish_reason "${reason.slice(0, 100)}"`;
        return failed(
          failureOf('incomplete', `The response ended with ${ending} and nothing visible.`),
          complete,
          'usage_missing',
        );
      }
      return {
        kind: 'responded',
        text,
        reasoning,
        calls: known === 'length' ? [] : requested,
        finishReason: known,
        usage: usageReport(complete, 'usage_missing'),
        ...(providerRequestId === undefined ? {} : { providerRequestId }),
      };
    },
  };
}

/** The choice with index 0; where an endpoint leaves the index out, the first. */
function firstChoice(choices: unknown): Readonly<Record<string, unknown>> | null {
  const found = listOf(choices).find((choice, position) => (fieldsOf(choice)?.['index'] ?? position) === 0);
  return fieldsOf(found);
}

function failureOfReport(report: ErrorReport): ProviderFailure {
  const failureClass = classOf(report, undefined);
  return failureOf(failureClass, report.message ?? 'The provider reported an error inside its response.', {
    code: report.codes[0] ?? failureClass,
    ...(report.requestId === undefined ? {} : { providerRequestId: report.requestId }),
  });
}

/** A record's own entry: a provider's word must not find `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
