/**
 * The recorder of the run whose lease this process holds: keeps its state and
 * conversation in memory, decides without reading, and commits through the one
 * write path. All work on one run goes through it, one thing after another.
 */
import { LeaseLost, RecordRefused, type Recorded, type RunRecorder, type SealedInput } from '@/lib/agent/recorder';
import type { CallId } from '@/lib/domain/id';
import type { ChatMessage } from '@/lib/domain/message';
import { decide, type Rejection } from '@/lib/domain/run/decide';
import { messageOf } from '@/lib/domain/run/conversation';
import type { RunEvent, RunEventBody } from '@/lib/domain/run/event';
import { evolve } from '@/lib/domain/run/evolve';
import type { RunInput } from '@/lib/domain/run/input';
import type { RunState } from '@/lib/domain/run/state';
import { isHeld } from '@/lib/domain/run/status';
import type { Transition, TransitionResult } from '@/lib/store/transition';

/** The run's row as somebody else may have changed it. */
export interface Reloaded {
  readonly leaseEpoch: number;
  readonly version: number;
  /** Of seq greater than asked for, all of them, in order. */
  readonly events: readonly RunEvent[];
}

export interface CommittedRunParts {
  readonly state: RunState;
  readonly version: number;
  readonly messages: readonly ChatMessage[];
  readonly commit: (transition: Transition) => Promise<TransitionResult>;
  readonly reload: (afterSeq: number) => Promise<Reloaded | null>;
  readonly newNonce: () => string;
  /** Every event of the run from now on, once, in order, as committed. Must not throw. */
  readonly onEvents: (events: readonly RunEvent[]) => void;
}

export class CommittedRun implements RunRecorder {
  #state: RunState;
  #version: number;
  readonly #messages: ChatMessage[];
  #tail: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: CommittedRunParts) {
    this.#state = parts.state;
    this.#version = parts.version;
    this.#messages = [...parts.messages];
  }

  get state(): RunState {
    return this.#state;
  }

  get version(): number {
    return this.#version;
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  record(inputs: readonly RunInput[], sealed?: ReadonlyMap<CallId, SealedInput>): Promise<Recorded> {
    return this.#next(() => this.#record(inputs, sealed));
  }

  /** Takes in what others committed meanwhile: a cancel, say. */
  refresh(): Promise<void> {
    return this.#next(() => this.#reload());
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(work, work);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  async #record(inputs: readonly RunInput[], sealed?: ReadonlyMap<CallId, SealedInput>): Promise<Recorded> {
    for (;;) {
      if (!isHeld(this.#state.status)) throw new LeaseLost(`the run is ${this.#state.status}`);
      const decided = decideAll(this.#state, inputs);
      if (!decided.ok) return decided;
      if (decided.events.length === 0) return { ok: true };
      const result = await this.parts.commit({
        runId: this.#state.runId,
        projectId: this.#state.projectId,
        leaseEpoch: this.#state.leaseEpoch,
        version: this.#version,
        nonce: this.parts.newNonce(),
        before: this.#state,
        after: decided.after,
        events: decided.events,
        ...(sealed === undefined ? {} : { sealed }),
      });
      if (result.kind === 'committed') {
        this.#version += 1;
        this.#advance(decided, stamp(decided.events, this.#state.seq, result.at));
        return { ok: true };
      }
      if (result.kind === 'refused') throw new RecordRefused(result.code);
      await this.#reload();
    }
  }

  async #reload(): Promise<void> {
    const found = await this.parts.reload(this.#state.seq);
    if (found === null || found.leaseEpoch !== this.#state.leaseEpoch) throw new LeaseLost('another holds the lease now');
    this.#version = found.version;
    this.#take(found.events);
  }

  /** What was decided has been folded already; only the end of a lease also counts the database's time. */
  #advance({ after, messages }: Decided, events: readonly RunEvent[]): void {
    if (!isHeld(after.status)) return this.#take(events);
    for (const message of messages) this.#messages.push(message);
    this.#state = after;
    this.parts.onEvents(events);
  }

  /** What others have committed. */
  #take(events: readonly RunEvent[]): void {
    for (const event of events) {
      const message = messageOf(this.#state, event);
      if (message !== null) this.#messages.push(message);
      this.#state = evolve(this.#state, this.#state.runId, event) ?? this.#state;
    }
    if (events.length > 0) this.parts.onEvents(events);
  }
}

interface Decided {
  readonly ok: true;
  readonly events: readonly RunEventBody[];
  readonly messages: readonly ChatMessage[];
  readonly after: RunState;
}

function decideAll(before: RunState, inputs: readonly RunInput[]): Decided | { readonly ok: false; readonly rejection: Rejection } {
  let state = before;
  const events: RunEventBody[] = [];
  const messages: ChatMessage[] = [];
  for (const input of inputs) {
    const decision = decide(state, input);
    if (!decision.ok) return decision;
    for (const event of decision.events) {
      const message = messageOf(state, event);
      if (message !== null) messages.push(message);
      state = evolve(state, state.runId, { ...event, seq: state.seq + 1 }) ?? state;
      events.push(event);
    }
  }
  return { ok: true, events, messages, after: state };
}

function stamp(bodies: readonly RunEventBody[], afterSeq: number, at: Date): RunEvent[] {
  const timestamp = at.toISOString();
  return bodies.map((body, index) => ({ ...body, seq: afterSeq + index + 1, timestamp }));
}
