import { describe, expect, it } from 'vitest';
import { isHeld, isLive, isTerminal, leavesTurnOpen, RUN_STATUSES, type RunStatus } from './status';

/** What each status means; a new status without a row does not compile. */
const MEANING: Record<RunStatus, { readonly live: boolean; readonly held: boolean; readonly turnOpen: boolean }> = {
  queued: { live: true, held: false, turnOpen: false },
  running: { live: true, held: true, turnOpen: false },
  waiting: { live: true, held: false, turnOpen: false },
  cancelling: { live: true, held: true, turnOpen: false },
  succeeded: { live: false, held: false, turnOpen: false },
  verification_failed: { live: false, held: false, turnOpen: false },
  blocked: { live: false, held: false, turnOpen: false },
  paused: { live: false, held: false, turnOpen: true },
  failed: { live: false, held: false, turnOpen: false },
  cancelled: { live: false, held: false, turnOpen: true },
  interrupted: { live: false, held: false, turnOpen: true },
};

describe('a run status', () => {
  it.each(RUN_STATUSES)('%s means what the table says, and is either live or terminal', (status) => {
    expect({ live: isLive(status), held: isHeld(status), turnOpen: leavesTurnOpen(status) }).toEqual(MEANING[status]);
    expect(isTerminal(status)).toBe(!isLive(status));
  });
});
