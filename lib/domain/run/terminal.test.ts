import { describe, expect, it } from 'vitest';
import { FAILURE_CLASSES, PAUSE_REASONS, type FailureClass, type PauseReason } from './status';
import { exitCodeOf, terminalPayloads, terminalToWire, type Terminal, type TerminalOf } from './terminal';

const blocker = { blocker_id: 'blk_1', kind: 'user_decision', summary: 'which?', evidence: [] } as const;
const EXAMPLES: { readonly [S in Terminal['status']]: readonly [TerminalOf<S>, number][] } = {
  succeeded: [[{ status: 'succeeded' }, 0]],
  verification_failed: [[{ status: 'verification_failed', command: 'npm test', exit_code: 7 }, 2]],
  blocked: [[{ status: 'blocked', blocker: { ...blocker, evidence: [] } }, 5]],
  paused: PAUSE_REASONS.map((reason: PauseReason) => [{ status: 'paused', reason, resumable: true }, 4]),
  failed: FAILURE_CLASSES.map((of: FailureClass) => [{ status: 'failed', class: of, code: 'c', message: 'm' }, of === 'approval' ? 3 : 1]),
  cancelled: [
    [{ status: 'cancelled', by: 'signal:SIGINT', unknown_calls: [] }, 130],
    [{ status: 'cancelled', by: 'signal:SIGTERM', unknown_calls: [] }, 143],
    [{ status: 'cancelled', by: 'user:usr_1', unknown_calls: ['call_1'] }, 130],
    [{ status: 'cancelled', by: 'system', unknown_calls: [] }, 130],
  ],
  interrupted: [
    [{ status: 'interrupted', unknown_calls: [] }, 6],
    [{ status: 'interrupted', unknown_calls: ['call_1'], continues_as: 'run_2' }, 6],
  ],
};
const examples = Object.values(EXAMPLES).flat() as [Terminal, number][];

describe('a terminal', () => {
  it.each(examples)('%j exits with %d', (terminal, code) => {
    expect(exitCodeOf(terminal)).toBe(code);
  });

  it.each(examples)('%j has exactly one key on the wire, its status, and what the schema allows under it', (terminal) => {
    const wire = terminalToWire(terminal);
    expect(Object.keys(wire)).toEqual([terminal.status]);
    const payload: unknown = wire[terminal.status];
    expect(terminalPayloads[terminal.status].parse(payload)).toEqual(payload);
    expect(payload).not.toHaveProperty('status');
  });

  it('only a success exits with 0', () => {
    expect(examples.filter(([terminal]) => exitCodeOf(terminal) === 0).map(([terminal]) => terminal.status)).toEqual(['succeeded']);
  });
});
