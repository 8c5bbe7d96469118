import { describe, expect, it } from 'vitest';
import { decideCall, type CallDecision } from './policy';
import { POLICIES, type Policy } from './run/settings';
import { CALL_EFFECTS, type CallEffect } from './tool-call';

type Verdict = CallDecision['verdict'];
const EXPECTED: Record<Policy, Record<CallEffect, Verdict>> = {
  auto: { none: 'allow', workspace: 'allow', external: 'allow' },
  ask: { none: 'allow', workspace: 'ask', external: 'ask' },
  'read-only': { none: 'allow', workspace: 'deny', external: 'deny' },
};

describe('a policy', () => {
  it.each(POLICIES.flatMap((policy) => CALL_EFFECTS.map((effect) => [policy, effect] as const)))('%s decides a call with effect %s', (policy, effect) => {
    const decision = decideCall({ policy }, { effect, command: false }, true);
    expect(decision.verdict).toBe(EXPECTED[policy][effect]);
    expect(decision.rule).not.toBe('');
  });

  it('lets no command run without a sandbox that nobody answers for, and nothing else is held back', () => {
    expect(decideCall({ policy: 'auto' }, { effect: 'external', command: true }, false)).toEqual({ verdict: 'ask', rule: 'no_sandbox' });
    expect(decideCall({ policy: 'auto' }, { effect: 'external', command: true }, true).verdict).toBe('allow');
    expect(decideCall({ policy: 'auto' }, { effect: 'workspace', command: false }, false).verdict).toBe('allow');
    expect(decideCall({ policy: 'read-only' }, { effect: 'external', command: true }, false).verdict).toBe('deny');
  });
});
