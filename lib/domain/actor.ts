/** Who did something, as events and audit entries name them (I15). */
import { z } from 'zod';

/**
 * - `system`: the harness itself (expiry, sweeper).
 * - `user:<id>`: a person, by session or by token.
 * - `local`: whoever started the command line on this machine.
 * - `signal:<name>`: a signal sent to a local `exec`.
 */
export const actorSchema = z.string().regex(/^(system|local|user:usr_[0-9A-Z]+|signal:SIG[A-Z]+)$/);
export type Actor = 'system' | 'local' | `user:usr_${string}` | `signal:SIG${string}`;

const SIGNAL_EXIT_CODES: Readonly<Record<string, number>> = { 'signal:SIGTERM': 143 };

/** 130, or 143 where a SIGTERM asked for it (contract.md §3). */
export const cancelExitCode = (by: string): number => SIGNAL_EXIT_CODES[by] ?? 130;
