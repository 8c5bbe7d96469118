/**
 * A recorder without a database: the same decisions and the same fold, every record
 * kept as one commit. Others act on the run in between, as they do on a real one.
 */
import { LeaseLost, RecordRefused, type Recorded, type RunRecorder, type SealedInput } from '@/lib/agent/recorder';
import type { CallId } from '@/lib/domain/id';
import type { ChatMessage } from '@/lib/domain/message';
import { after, decide } from '@/lib/domain/run/decide';
import { messageOf } from '@/lib/domain/run/conversation';
import type { EventPayload, EventType, RunEvent, RunEventBody } from '@/lib/domain/run/event';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import { evolve } from '@/lib/domain/run/evolve';
import type { RunInput } from '@/lib/domain/run/input';
import type { RunState } from '@/lib/domain/run/state';
import { isHeld } from '@/lib/domain/run/status';
import { place, type Played } from './play-run';

type Hook = () => void | Promise<void>;

export class MemoryRecorder implements RunRecorder {
  state: RunState;
  readonly messages: ChatMessage[];
  readonly events: RunEvent[];
  /** The events of each record, one list a commit. */
  readonly commits: (readonly RunEvent[])[] = [];
  readonly sealed = new Map<CallId, SealedInput>();
  readonly #before: { readonly type: EventType; readonly hook: Hook }[] = [];
  readonly #after: { readonly type: EventType; readonly hook: Hook }[] = [];
  #isLost = false;
  #refusal: { readonly type: EventType; readonly code: string } | null = null;

  constructor(
    from: Played,
    readonly journal: string[] = [],
  ) {
    this.state = from.state;
    this.messages = [...from.messages];
    this.events = [...from.events];
  }

  /** Once, before the next record that holds such an event is committed; it is then decided again. */
  before(type: EventType, hook: Hook): void {
    this.#before.push({ type, hook });
  }

  /** Once, after the next record that holds such an event was committed, before the recorder says so. */
  after(type: EventType, hook: Hook): void {
    this.#after.push({ type, hook });
  }

  loseLease(): void {
    this.#isLost = true;
  }

  /** The next record that holds such an event is refused by the database. */
  refuse(type: EventType, code: string): void {
    this.#refusal = { type, code };
  }

  /** A cancel from outside. */
  cancel(): void {
    this.#commit(this.#decided([{ type: 'cancel', commandId: 'cmd_cancel', by: 'local', others: NO_OTHERS }]) ?? []);
  }

  payloads<T extends EventType>(type: T): EventPayload<T>[] {
    return this.events.filter((event) => event.type === type).map((event) => event.payload as EventPayload<T>);
  }

  /** Of each commit since the beginning the types of its events. */
  get commitTypes(): string[][] {
    return this.commits.map((events) => events.map(({ type }) => type));
  }

  async record(inputs: readonly RunInput[], sealed?: ReadonlyMap<CallId, SealedInput>): Promise<Recorded> {
    await Promise.resolve();
    for (;;) {
      if (this.#isLost) throw new LeaseLost('the lease was lost');
      if (!isHeld(this.state.status)) throw new LeaseLost(`the run is ${this.state.status}`);
      const bodies = this.#decided(inputs);
      if (bodies === null) return this.#rejected(inputs);
      const hook = take(this.#before, bodies);
      if (hook !== null) {
        await hook();
        continue;
      }
      if (this.#refusal !== null && bodies.some(({ type }) => type === this.#refusal?.type)) {
        const { code } = this.#refusal;
        this.#refusal = null;
        throw new RecordRefused(code);
      }
      this.#commit(bodies);
      for (const [callId, input] of sealed ?? []) this.sealed.set(callId, input);
      await take(this.#after, bodies)?.();
      return { ok: true };
    }
  }

  #decided(inputs: readonly RunInput[]): RunEventBody[] | null {
    let state = this.state;
    const bodies: RunEventBody[] = [];
    for (const input of inputs) {
      const decision = decide(state, input);
      if (!decision.ok) return null;
      bodies.push(...decision.events);
      state = after(state, decision.events);
    }
    return bodies;
  }

  #rejected(inputs: readonly RunInput[]): Recorded {
    let state = this.state;
    for (const input of inputs) {
      const decision = decide(state, input);
      if (!decision.ok) return decision;
      state = after(state, decision.events);
    }
    throw new Error('nothing was rejected');
  }

  #commit(bodies: readonly RunEventBody[]): void {
    const placed = bodies.map((body, index) => place(body, this.state.seq + index + 1));
    for (const event of placed) {
      const message = messageOf(this.state, event);
      if (message !== null) this.messages.push(message);
      this.state = evolve(this.state, this.state.runId, event) ?? this.state;
      this.journal.push(event.type);
    }
    this.events.push(...placed);
    this.commits.push(placed);
  }
}

function take(hooks: { readonly type: EventType; readonly hook: Hook }[], bodies: readonly RunEventBody[]): Hook | null {
  const index = hooks.findIndex(({ type }) => bodies.some((body) => body.type === type));
  return index === -1 ? null : (hooks.splice(index, 1)[0]?.hook ?? null);
}
