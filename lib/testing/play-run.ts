/** Plays inputs through the pure core, as the write path does: what was decided gets its place in the log and is folded. */
import type { CallId, RunId } from '@/lib/domain/id';
import type { ChatMessage } from '@/lib/domain/message';
import { decide } from '@/lib/domain/run/decide';
import { messageOf } from '@/lib/domain/run/conversation';
import { NOTHING_CARRIED, type Carried, type RunEvent, type RunEventBody } from '@/lib/domain/run/event';
import { evolve } from '@/lib/domain/run/evolve';
import type { CallOutcome, InputOf, ProposedCall, RunInput } from '@/lib/domain/run/input';
import { NO_LIMITS, type RunSettings } from '@/lib/domain/run/settings';
import type { QueuedFirst, RunState } from '@/lib/domain/run/state';
import type { UsageReport } from '@/lib/domain/usage';

export const RUN: RunId = 'run_test';

export interface Played {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly messages: readonly ChatMessage[];
}

export const SETTINGS: RunSettings = {
  model: 'scripted',
  access: 'read_write',
  policy: 'auto',
  unsandboxed: false,
  verifier: null,
  limits: NO_LIMITS,
  resumable: true,
};

export function firstOf(settings: Partial<RunSettings> = {}, carried: Partial<Carried> = {}): QueuedFirst {
  return {
    reason: 'submitted',
    project_id: 'prj_test',
    session_id: 'ses_test',
    turn_id: 'trn_test',
    turn_number: 1,
    task_id: 'tsk_test',
    generation: 1,
    settings: { ...SETTINGS, ...settings },
    carried: { ...NOTHING_CARRIED, ...carried },
  };
}

export const submit = (first: QueuedFirst): InputOf<'submit'> => ({
  type: 'submit',
  commandId: 'cmd_submit',
  kind: 'submit',
  actor: 'local',
  first,
  message: { origin: 'goal', text: 'do it' },
});

export const CLAIM: InputOf<'claim'> = { type: 'claim', leaseEpoch: 1, worker: 'worker-1' };

/** @throws Error when an input is rejected: a test that means to be rejected asks `decide` itself. */
export function play(from: Played | null, ...inputs: readonly RunInput[]): Played {
  let state: RunState | null = from?.state ?? null;
  const events: RunEvent[] = [...(from?.events ?? [])];
  const messages: ChatMessage[] = [...(from?.messages ?? [])];
  for (const input of inputs) {
    const decision = decide(state, input);
    if (!decision.ok) throw new Error(`${input.type} was rejected: ${JSON.stringify(decision.rejection)}`);
    for (const body of decision.events) {
      const placed = place(body, events.length + 1);
      const message = messageOf(state, placed);
      if (message !== null) messages.push(message);
      state = evolve(state, RUN, placed);
      events.push(placed);
    }
  }
  if (state === null) throw new Error('no run was begun');
  return { state, events, messages };
}

export const place = (body: RunEventBody, seq: number): RunEvent =>
  ({ ...body, seq, timestamp: '2030-01-01T00:00:00.000Z' });

/** A run that a worker has claimed. */
export const running = (settings: Partial<RunSettings> = {}, carried: Partial<Carried> = {}): Played =>
  play(null, submit(firstOf(settings, carried)), CLAIM);

export const usage = (inputTokens: number, outputTokens: number, cachedTokens = 0): UsageReport => ({
  state: 'known',
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens: 0,
});

export const request = (id: string, purpose: 'round' | 'recovery' = 'round'): InputOf<'request_model'> => ({
  type: 'request_model',
  requestId: `req_${id}`,
  purpose,
  model: 'scripted',
});

export function call(id: string, of: Partial<Omit<ProposedCall, 'callId'>> = {}): ProposedCall {
  return {
    callId: `call_${id}`,
    providerCallId: `p-${id}`,
    name: 'read_file',
    arguments: {},
    argumentsText: '{}',
    effect: 'none',
    countsAsWrite: false,
    decision: { verdict: 'allow', rule: 'policy_auto' },
    ...of,
  };
}

export const write = (id: string, of: Partial<Omit<ProposedCall, 'callId'>> = {}): ProposedCall =>
  call(id, { name: 'write_file', effect: 'workspace', countsAsWrite: true, ...of });

export const command = (id: string, of: Partial<Omit<ProposedCall, 'callId'>> = {}): ProposedCall =>
  call(id, { name: 'run_command', effect: 'external', ...of });

export const respond = (id: string, of: Partial<Omit<InputOf<'model_responded'>, 'type' | 'requestId'>> = {}): InputOf<'model_responded'> => ({
  type: 'model_responded',
  requestId: `req_${id}`,
  text: '',
  calls: [],
  finishReason: (of.calls ?? []).length > 0 ? 'tool_calls' : 'stop',
  usage: usage(10, 1),
  costMicroUsd: 5,
  ...of,
});

export const fail = (id: string, failure: Partial<InputOf<'model_failed'>['failure']> = {}): InputOf<'model_failed'> => ({
  type: 'model_failed',
  requestId: `req_${id}`,
  failure: { class: 'overload', code: '503', message: 'overloaded', retryable: true, ...failure },
  partialText: '',
  usage: { state: 'unknown', reason: 'no report' },
  costMicroUsd: null,
});

export const empty = (id: string): InputOf<'model_failed'> => ({
  ...fail(id, { class: 'empty_response', code: 'empty', message: 'empty' }),
  usage: usage(17, 4),
});

export const start = (id: string): InputOf<'start_call'> => ({ type: 'start_call', callId: `call_${id}` satisfies CallId });

export const done = (id: string, of: Partial<Extract<CallOutcome, { kind: 'completed' }>> = {}): InputOf<'end_call'> => ({
  type: 'end_call',
  callId: `call_${id}`,
  outcome: { kind: 'completed', output: 'ok', truncated: false, ...of },
});

export const outcome = (id: string, of: CallOutcome): InputOf<'end_call'> => ({ type: 'end_call', callId: `call_${id}`, outcome: of });

export const refused = (id: string, code = 'read_only_workspace'): InputOf<'end_call'> =>
  outcome(id, { kind: 'failed', code, message: 'refused' });

/** One whole round: the request, its response with these calls, nothing of them begun. */
export const round = (from: Played, id: string, ...calls: readonly ProposedCall[]): Played =>
  play(from, request(id), respond(id, { calls }));

/** One whole round that ends in plain text. */
export const says = (from: Played, id: string, text: string): Played => play(from, request(id), respond(id, { text }));

