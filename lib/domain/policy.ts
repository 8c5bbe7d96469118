/**
 * Policy: what is decided of a proposed call before anything of it happens. The
 * deciding rule is recorded with the call.
 */
import type { RunSettings } from './run/settings';
import type { CallEffect } from './tool-call';

export interface CallDecision {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** The name of the rule that decided. */
  readonly rule: string;
}

export interface DecidedCall {
  readonly effect: CallEffect;
  /** It runs a command in a shell. */
  readonly command: boolean;
}

/**
 * @param sandboxed whether commands run in a sandbox here, or the caller answers for them.
 */
export function decideCall(settings: Pick<RunSettings, 'policy'>, call: DecidedCall, sandboxed: boolean): CallDecision {
  if (call.effect === 'none') return { verdict: 'allow', rule: 'no_effect' };
  if (settings.policy === 'read-only') return { verdict: 'deny', rule: 'policy_read_only' };
  if (settings.policy === 'ask') return { verdict: 'ask', rule: 'policy_ask' };
  if (call.command && !sandboxed) return { verdict: 'ask', rule: 'no_sandbox' };
  return { verdict: 'allow', rule: 'policy_auto' };
}
