/**
 * Which pieces may still go out at one edge: none after `run.cancelling` or a terminal
 * (I7), none of a request or call whose whole text the log has given already.
 */
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { isTerminalEvent } from './log-end';

/** A piece that comes later than so many outcomes was on its way for longer than anything is. */
const REMEMBERED = 256;

const SETTLES: ReadonlySet<string> = new Set([
  'model.responded',
  'model.failed',
  'tool.completed',
  'tool.failed',
  'tool.denied',
  'tool.withdrawn',
  'tool.unknown',
]);

export class PieceGate {
  readonly #settled = new Set<string>();
  #shut = false;

  /** Sees each event as it goes out. */
  see({ type, payload }: { readonly type: string; readonly payload: unknown }): void {
    if (type === 'run.cancelling' || isTerminalEvent(type)) this.#shut = true;
    if (!SETTLES.has(type)) return;
    const id = idOf(payload);
    if (id === null) return;
    this.#settled.add(id);
    const [oldest] = this.#settled;
    if (this.#settled.size > REMEMBERED && oldest !== undefined) this.#settled.delete(oldest);
  }

  /** For a reader who has seen the cancelling already. */
  shut(): void {
    this.#shut = true;
  }

  admits({ type, payload }: EphemeralEvent): boolean {
    return !this.#shut && !this.#settled.has(type === 'model.delta' ? payload.request_id : payload.call_id);
  }
}

function idOf(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const { request_id, call_id } = payload as { readonly request_id?: unknown; readonly call_id?: unknown };
  // A tool's outcome names its call; only what settles a request has no call.
  const id = call_id ?? request_id;
  return typeof id === 'string' ? id : null;
}
