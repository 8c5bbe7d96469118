/**
 * How a run ended: one shape per terminal status, so that a field exists only
 * where it means something. The wire form is the payload of the `run.*` event
 * and the one key of `session.completed.terminal`.
 */
import { z } from 'zod';
import { cancelExitCode } from '../actor';
import { blockerReportSchema } from '../blocker';
import { FAILURE_CLASSES, PAUSE_REASONS } from './status';

export const terminalPayloads = {
  succeeded: z.object({}),
  /** `exit_code` is null where the check could not be executed: it did not pass, and it did not fail by itself. */
  verification_failed: z.object({ command: z.string(), exit_code: z.number().int().nullable() }),
  blocked: z.object({ blocker: blockerReportSchema.extend({ blocker_id: z.string() }) }),
  paused: z.object({
    reason: z.enum(PAUSE_REASONS),
    resumable: z.boolean(),
    /** What stopped it, for people: which limit, which failure. */
    message: z.string().optional(),
  }),
  failed: z.object({ class: z.enum(FAILURE_CLASSES), code: z.string(), message: z.string() }),
  cancelled: z.object({ by: z.string(), unknown_calls: z.array(z.string()) }),
  interrupted: z.object({ unknown_calls: z.array(z.string()), continues_as: z.string().optional() }),
} as const;

type Payloads = { [S in keyof typeof terminalPayloads]: z.infer<(typeof terminalPayloads)[S]> };

/** A terminal: its status and what is known about it. */
export type Terminal = {
  [S in keyof Payloads]: { readonly status: S } & (S extends 'succeeded' ? unknown : Readonly<Payloads[S]>);
}[keyof Payloads];
export type TerminalOf<S extends Terminal['status']> = Extract<Terminal, { status: S }>;

/** `{blocked: {…}}`: exactly one key, as contract.md §4 has it. */
export type TerminalWire = { [S in keyof Payloads]?: Payloads[S] };

export function terminalToWire(terminal: Terminal): TerminalWire {
  const { status, ...payload } = terminal;
  return { [status]: payload };
}

const EXIT_CODES: { [S in Terminal['status']]: (terminal: TerminalOf<S>) => number } = {
  succeeded: () => 0,
  failed: (terminal) => (terminal.class === 'approval' ? 3 : 1),
  verification_failed: () => 2,
  paused: () => 4,
  blocked: () => 5,
  interrupted: () => 6,
  cancelled: (terminal) => cancelExitCode(terminal.by),
};

/** The exit code a script sees (contract.md §3). */
export function exitCodeOf<S extends Terminal['status']>(terminal: TerminalOf<S> & { status: S }): number {
  return EXIT_CODES[terminal.status](terminal);
}
