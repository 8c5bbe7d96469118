/** Exit codes that say nothing about a run (contract.md §3); those of a run come from its terminal. */
export const EXIT = {
  ok: 0,
  /** The answer to a question is no: a conflict, a missing run, a machine that is not ready. */
  refused: 1,
  usage: 64,
  unavailable: 69,
  /** A fault of ours: nothing is known about a run from it. */
  broken: 70,
} as const;

/** What a second signal leaves with, as shells have it: 128 + its number. */
export const SIGNAL_EXIT: Readonly<Record<'SIGINT' | 'SIGTERM', number>> = { SIGINT: 130, SIGTERM: 143 };
