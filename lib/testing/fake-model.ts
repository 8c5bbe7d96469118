/** A model port that answers as a test says, one answer a request, and keeps what it was asked. */
import type { ModelDelta, ModelOutcome, ModelPort, ModelRequest, RequestedCall } from '@/lib/agent/ports';
import type { ProviderFailure } from '@/lib/domain/failure';
import type { ModelPrice, UsageReport } from '@/lib/domain/usage';
import { usage } from './play-run';

export type Answer = ModelOutcome | ((request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>);

export interface FakeModel extends ModelPort {
  readonly requests: ModelRequest[];
  /** Each request's messages, serialised one by one, as they were when it was made. */
  readonly serialised: string[][];
}

export interface FakeModelOptions {
  readonly price?: ModelPrice | null;
  readonly journal?: string[];
}

/** @throws Error (so a run of the harness fails) when it is asked more often than it has answers. */
export function fakeModel(answers: readonly Answer[], { price = null, journal = [] }: FakeModelOptions = {}): FakeModel {
  const requests: ModelRequest[] = [];
  const serialised: string[][] = [];
  return {
    requests,
    serialised,
    async request(request) {
      journal.push('dial');
      const answer = answers[requests.length];
      requests.push({ ...request, messages: structuredClone(request.messages) });
      serialised.push(request.messages.map((message) => JSON.stringify(message)));
      if (answer === undefined) throw new Error(`no answer for request ${requests.length}`);
      return typeof answer === 'function' ? answer(request) : answer;
    },
    price: () => price,
    unfinished: () => null,
  };
}

type Responded = Extract<ModelOutcome, { kind: 'responded' }>;

export const respondedWith = (of: Partial<Responded> = {}): Responded => ({
  kind: 'responded',
  text: '',
  reasoning: '',
  calls: [],
  finishReason: (of.calls ?? []).length > 0 ? 'tool_calls' : 'stop',
  usage: usage(10, 2),
  ...of,
});

export const saying = (text: string, of: Partial<Responded> = {}): Responded => respondedWith({ text, ...of });

export const calling = (...calls: readonly RequestedCall[]): Responded => respondedWith({ calls });

let number = 0;
export const callTo = (name: string, args: unknown = {}): RequestedCall => ({
  providerCallId: `p_${(number += 1)}`,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

export const failedWith = (failure: Partial<ProviderFailure> = {}, report: UsageReport = { state: 'unknown', reason: 'no report' }): ModelOutcome => ({
  kind: 'failed',
  failure: { class: 'overload', code: '503', message: 'overloaded', retryable: true, ...failure },
  usage: report,
  partialText: '',
  frames: [],
});

export const aborted = (): ModelOutcome => failedWith({ class: 'aborted', code: 'aborted', message: 'aborted', retryable: false });

/** Says these pieces and waits for the abort, as a stream that is cancelled in the middle does. */
export const streamingUntilAborted =
  (pieces: readonly ModelDelta[], begun: () => void = () => undefined) =>
  async (request: ModelRequest): Promise<ModelOutcome> => {
    for (const piece of pieces) request.onDelta(piece);
    begun();
    await whenAborted(request.signal);
    return aborted();
  };

export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
