/**
 * What the page of a run holds in the browser, and how events change it. Pure. The
 * state is folded by the same `evolve` as on the server; the window is a stretch of the
 * log without a hole, which need not reach to the state's end.
 */
import type { RunId } from '@/lib/domain/id';
import type { Completion } from '@/lib/domain/run/completion';
import type { RunEvent } from '@/lib/domain/run/event';
import { evolve } from '@/lib/domain/run/evolve';
import type { RunState } from '@/lib/domain/run/state';
import type { RunPageView, RequestUsage, ToldMessage } from '@/lib/queries/run-page';

export interface RunCache {
  readonly runId: RunId;
  readonly state: RunState;
  readonly completion: Completion | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly events: readonly RunEvent[];
  readonly hasEarlier: boolean;
  /** The window ends before the log does: live events go past it. */
  readonly hasLater: boolean;
  readonly failures: readonly number[];
  readonly requests: readonly RequestUsage[];
  readonly told: readonly ToldMessage[];
}

export function cacheOf(view: RunPageView): RunCache {
  return {
    runId: view.run.id,
    state: view.state,
    completion: completionOf(view),
    startedAt: view.run.started_at ?? null,
    endedAt: view.run.ended_at ?? null,
    ...view.window,
    failures: view.failures,
    requests: view.requests,
    told: view.told,
  };
}

function completionOf({ run, state }: RunPageView): Completion | null {
  if (!state.atRest || run.terminal === undefined || run.exit_code === undefined) return null;
  const { status, exit_code, writes_applied, writes_unknown, effects, done, objections, verification, turn_id, generation } = run;
  const { final_text, usage, tool_calls, terminal } = run;
  return { status, exit_code, writes_applied, writes_unknown, effects, done, objections, verification, turn_id, generation, final_text, usage, tool_calls, terminal };
}

/** Live events, in order. What is not beyond the state has been seen, and changes nothing. */
export function applyEvents(cache: RunCache, incoming: readonly RunEvent[]): RunCache {
  const events = incoming.filter((event) => event.seq > cache.state.seq);
  if (events.length === 0) return cache;
  let state: RunState | null = cache.state;
  for (const event of events) state = evolve(state, cache.runId, event);
  const next: RunCache = { ...cache, state: state ?? cache.state, events: cache.hasLater ? cache.events : [...cache.events, ...events] };
  return events.reduce(applyFacts, next);
}

/** What is kept beside the fold. */
function applyFacts(cache: RunCache, event: RunEvent): RunCache {
  switch (event.type) {
    case 'run.started':
      return cache.startedAt === null ? { ...cache, startedAt: event.timestamp } : cache;
    case 'message.appended':
      return { ...cache, told: [...cache.told, { seq: event.seq, at: event.timestamp, payload: event.payload }] };
    case 'model.requested': {
      const { request_id, purpose, model, attempt } = event.payload;
      const request: RequestUsage = {
        requestId: request_id,
        purpose,
        model,
        attempt,
        status: 'open',
        failure: null,
        at: event.timestamp,
        state: null,
        inputTokens: null,
        outputTokens: null,
        cachedTokens: null,
        reasoningTokens: null,
        costMicroUsd: null,
      };
      return { ...cache, requests: [...cache.requests, request] };
    }
    case 'model.responded':
      return changeRequest(cache, event.payload.request_id, { status: 'responded' });
    case 'model.failed':
      return withFailure(changeRequest(cache, event.payload.request_id, { status: 'failed', failure: event.payload.class }), event);
    case 'usage.recorded': {
      const { state, input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost_micro_usd } = event.payload;
      return changeRequest(cache, event.payload.request_id, {
        state,
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        cachedTokens: cached_tokens,
        reasoningTokens: reasoning_tokens,
        costMicroUsd: cost_micro_usd,
      });
    }
    case 'tool.completed':
      return event.payload.exit_code === undefined || event.payload.exit_code === 0 ? cache : withFailure(cache, event);
    case 'tool.failed':
    case 'tool.denied':
    case 'tool.unknown':
      return withFailure(cache, event);
    case 'run.succeeded':
    case 'run.verification_failed':
    case 'run.blocked':
    case 'run.paused':
    case 'run.failed':
    case 'run.cancelled':
    case 'run.interrupted':
      return { ...cache, endedAt: event.timestamp };
    case 'session.completed':
      return { ...cache, completion: event.payload };
    // Everything else is in the state already, or nowhere but in the timeline.
    case 'command.accepted':
    case 'run.queued':
    case 'run.waiting':
    case 'run.cancelling':
    case 'tool.proposed':
    case 'tool.decided':
    case 'tool.started':
    case 'tool.withdrawn':
    case 'step.refused':
    case 'step.completed':
    case 'step.failed':
    case 'plan.updated':
    case 'blocker.reported':
    case 'budget.exhausted':
    case 'delivery.recorded':
    case 'verification.started':
    case 'verification.completed':
      return cache;
  }
}

const withFailure = (cache: RunCache, event: RunEvent): RunCache => ({ ...cache, failures: [...cache.failures, event.seq] });

function changeRequest(cache: RunCache, requestId: string, change: Partial<RequestUsage>): RunCache {
  return {
    ...cache,
    requests: cache.requests.map((request) => (request.requestId === requestId ? { ...request, ...change } : request)),
  };
}

/** Older events that join the window's beginning. */
export function prependEvents(cache: RunCache, older: readonly RunEvent[], hasEarlier: boolean): RunCache {
  const first = cache.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  return { ...cache, events: [...older.filter((event) => event.seq < first), ...cache.events], hasEarlier };
}

/** Later events that join the window's end; when they reach the state's end, the window is live again. */
export function appendEvents(cache: RunCache, later: readonly RunEvent[]): RunCache {
  const last = cache.events.at(-1)?.seq ?? 0;
  const events = [...cache.events, ...later.filter((event) => event.seq > last)];
  // Those beyond what has been folded so far come by the feed too: they are left to it.
  const within = events.filter((event) => event.seq <= cache.state.seq);
  return { ...cache, events: within, hasLater: (within.at(-1)?.seq ?? 0) < cache.state.seq };
}

/** Another stretch of the log in place of this one. */
export function replaceWindow(cache: RunCache, events: readonly RunEvent[], hasEarlier: boolean): RunCache {
  return appendEvents({ ...cache, events: [], hasEarlier }, events);
}
