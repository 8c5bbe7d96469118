/** What the record says of how a run ended; nothing is read out of prose. */
import type { EndReason } from '../input';
import type { RunState } from '../state';
import type { Terminal, TerminalOf } from '../terminal';

export function terminalFor(state: RunState, reason: EndReason): Terminal {
  switch (reason.kind) {
    case 'paused':
      return { status: 'paused', reason: reason.reason, resumable: state.settings.resumable, message: reason.message };
    case 'harness_failed':
      return { status: 'failed', class: reason.class, code: reason.code, message: reason.message };
    case 'provider_failed':
      return {
        status: 'failed',
        class: 'provider',
        code: state.lastFailure?.class ?? 'provider_error',
        message: state.lastFailure?.message ?? 'The provider refused the request.',
      };
    case 'finished':
      return finished(state);
  }
}

/** Order matters: a blocker is never upgraded, a reported failure is not a delivery, an unresolved one does not pass. */
function finished(state: RunState): Terminal {
  if (state.blocker !== null) return { status: 'blocked', blocker: state.blocker };
  if (state.step.status === 'failed') {
    return { status: 'failed', class: 'reported', code: 'step_failed', message: state.step.reason };
  }
  if (state.delivery?.verdict === 'unresolved') return unresolved(state);
  if (state.delivery === null) {
    return { status: 'failed', class: 'runtime', code: 'nothing_delivered', message: 'The run ended without a delivery.' };
  }
  return verified(state);
}

function unresolved(state: RunState): TerminalOf<'failed'> {
  const codes = state.delivery?.objections.map((objection) => objection.code).join(', ') ?? '';
  return state.approvalRefusals > 0
    ? { status: 'failed', class: 'approval', code: 'approval', message: `An approval was denied, expired or could not be asked (${codes}).` }
    : { status: 'failed', class: 'unresolved', code: 'unresolved', message: `The answer stands against the record (${codes}).` };
}

function verified(state: RunState): Terminal {
  const { verifier } = state.settings;
  if (verifier === null) return { status: 'succeeded' };
  if (state.verification.status !== 'done') {
    return { status: 'failed', class: 'runtime', code: 'not_verified', message: 'The run ended before its verifier had run.' };
  }
  const { success, exit_code } = state.verification.result;
  // A check that could not be executed did not pass.
  return success === true ? { status: 'succeeded' } : { status: 'verification_failed', command: verifier, exit_code };
}
