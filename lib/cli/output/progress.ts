/**
 * What a person is told while a run goes on: folds its events into lines. Pure: no
 * clock (durations come from the events), no terminal.
 *
 * Over 150 lines because it says of every event type what is shown of it.
 */
import { scriptOf } from '@/lib/domain/model-name';
import type { EventPayload, EventType, RunEvent } from '@/lib/domain/run/event';
import { isOpenItem } from '@/lib/domain/step';
import { count, plural } from './amounts';
import { callLabel, callLine, type CallEnd } from './call-line';
import { harmless, oneLine } from './terminal-text';

export type Tone = 'plain' | 'dim' | 'good' | 'bad' | 'doubt';
export interface ProgressLine {
  readonly tone: Tone;
  readonly text: string;
}

interface ShownCall {
  readonly label: string;
  readonly startedAt: number | null;
  readonly lasts: boolean;
}

type Tell = { readonly [T in EventType]: (payload: EventPayload<T>, at: number) => readonly ProgressLine[] };

const line = (tone: Tone, text: string): readonly ProgressLine[] => [{ tone, text }];
const silent = (): readonly ProgressLine[] => [];
const MESSAGE_WIDTH = 300;

export class Progress {
  readonly #calls = new Map<string, ShownCall>();
  #activity: string | null = null;

  /** What is going on now, for a line that is overwritten; null when nothing is. */
  get activity(): string | null {
    return this.#activity;
  }

  /** The lines that this event adds. */
  take(event: RunEvent): readonly ProgressLine[] {
    const tell = this.#tell[event.type] as (payload: unknown, at: number) => readonly ProgressLine[];
    return tell(event.payload, Date.parse(event.timestamp));
  }

  #end(callId: string, at: number, tone: Tone, end: CallEnd): readonly ProgressLine[] {
    const call = this.#calls.get(callId) ?? { label: callId, startedAt: null, lasts: false };
    this.#calls.delete(callId);
    this.#activity = null;
    const milliseconds = call.lasts && call.startedAt !== null ? Math.max(0, at - call.startedAt) : undefined;
    return line(tone, callLine(call.label, { ...end, ...(milliseconds === undefined ? {} : { milliseconds }) }));
  }

  readonly #tell: Tell = {
    'command.accepted': silent,
    'run.queued': (payload) => ('settings' in payload ? silent() : line('dim', `· queued (${payload.reason})`)),
    'run.started': silent,
    'run.waiting': (payload) => line('dim', `· waiting: ${payload.reason}`),
    'run.cancelling': (payload) => line('doubt', `· cancelling, as ${payload.by} asks`),

    'message.appended': ({ origin, objections }) => {
      if (origin !== 'report' && origin !== 'notice') return silent();
      const codes = (objections ?? []).map((objection) => objection.code).join(', ');
      return line('dim', `· ${origin} to the agent${codes === '' ? '' : `: the record has something against its answer (${codes})`}`);
    },

    'model.requested': ({ model, attempt, purpose }) => {
      const extra = [...(attempt > 1 ? [`attempt ${attempt}`] : []), ...(purpose === 'round' ? [] : [purpose])].join(', ');
      const name = scriptOf(model) === null ? oneLine(model, 60) : 'the script';
      this.#activity = `${name} is asked${extra === '' ? '' : ` (${extra})`} …`;
      return silent();
    },
    'model.responded': ({ text, tool_calls }) => {
      this.#activity = null;
      // Without a call it is the answer: that belongs to stdout.
      if (text === undefined || tool_calls.length === 0) return silent();
      return line('plain', harmless(text).trim());
    },
    'model.failed': (payload) => {
      this.#activity = null;
      if (payload.class === 'aborted') return silent();
      const next = payload.retryable ? '; it is tried again, if tries are left' : '';
      const status = payload.http_status === undefined ? '' : ` ${payload.http_status}`;
      return line('bad', `✗ model request failed (${payload.class}${status}): ${oneLine(payload.message, MESSAGE_WIDTH)}${next}`);
    },
    'usage.recorded': silent,
    'budget.exhausted': ({ limit, allowed, used }) => line('bad', `✗ budget exhausted: ${count(used)} of ${count(allowed)} ${limit}`),

    'tool.proposed': (payload) => {
      this.#calls.set(payload.call_id, {
        label: callLabel(payload.name, payload.arguments),
        startedAt: null,
        lasts: payload.effect !== 'none',
      });
      return silent();
    },
    'tool.decided': silent,
    'tool.started': ({ call_id }, at) => {
      const call = this.#calls.get(call_id);
      if (call === undefined) return silent();
      this.#calls.set(call_id, { ...call, startedAt: at });
      this.#activity = `${call.label} …`;
      return silent();
    },
    'tool.completed': ({ call_id, exit_code }, at) =>
      this.#end(call_id, at, exit_code === undefined || exit_code === 0 ? 'good' : 'doubt', {
        outcome: 'completed',
        ...(exit_code === undefined ? {} : { exitCode: exit_code }),
      }),
    'tool.failed': ({ call_id, code, message }, at) => this.#end(call_id, at, 'bad', { outcome: 'failed', reason: `${code}: ${message}` }),
    'tool.denied': ({ call_id, rule, reason }, at) => this.#end(call_id, at, 'bad', { outcome: 'denied', reason: reason ?? rule }),
    'tool.withdrawn': ({ call_id, reason }, at) => this.#end(call_id, at, 'dim', { outcome: 'withdrawn', reason }),
    'tool.unknown': ({ call_id, reason }, at) => this.#end(call_id, at, 'doubt', { outcome: 'unknown', reason }),

    'step.refused': silent, // the call's own line says it
    'step.completed': silent,
    'step.failed': ({ reason }) => line('bad', `✗ the agent reports that it failed: ${oneLine(reason, MESSAGE_WIDTH)}`),
    'plan.updated': ({ items }) => {
      const open = items.filter(isOpenItem);
      const next = open[0] === undefined ? '' : ` · next: ${oneLine(open[0].text, 80)}`;
      return line('dim', `· plan: ${items.length - open.length} of ${plural(items.length, 'item')} settled${next}`);
    },
    'blocker.reported': ({ kind, summary }) => line('doubt', `■ blocker (${kind}): ${oneLine(summary, MESSAGE_WIDTH)}`),
    'delivery.recorded': silent,

    'verification.started': ({ command }) => {
      this.#activity = `verifying: ${oneLine(command, 90)} …`;
      return silent();
    },
    'verification.completed': ({ command, success, exit_code, reason }) => {
      this.#activity = null;
      const shown = oneLine(command, 90);
      if (success === null) return line('bad', `✗ verification could not run: ${shown}: ${oneLine(reason ?? 'no reason given', MESSAGE_WIDTH)}`);
      return success
        ? line('good', `✓ verification passed: ${shown}`)
        : line('bad', `✗ verification failed: ${shown} · exit ${exit_code ?? 'unknown'}`);
    },

    'run.succeeded': silent, // the summary says how it ended
    'run.verification_failed': silent,
    'run.blocked': silent,
    'run.paused': silent,
    'run.failed': silent,
    'run.cancelled': silent,
    'run.interrupted': ({ continues_as }) => (continues_as === undefined ? silent() : line('doubt', `· interrupted; goes on as ${continues_as}`)),
    'session.completed': silent,
  };
}
