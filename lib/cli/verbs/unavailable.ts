/** Verbs and options of the contract that this version does not carry out: they say so, and nothing happens. */
import { usageError } from '../cli-error';

export const UNAVAILABLE_VERBS: readonly { readonly usage: string; readonly says: string }[] = [
  { usage: 'pause <run_id>', says: 'pause a run at its next boundary' },
  { usage: 'note <run_id> <text>', says: 'leave a remark for a live run' },
  { usage: 'answer <blocker_id> <text>', says: 'answer a blocker' },
  { usage: 'approve <approval_id>', says: 'allow a call that waits for approval' },
  { usage: 'deny <approval_id>', says: 'refuse a call that waits for approval' },
  { usage: 'reconcile <call_id> <statement> <reason>', says: 'state what an unknown call did' },
  { usage: 'drill', says: 'run the honesty drills' },
];

export const UNAVAILABLE_OPTIONS: readonly { readonly flags: string; readonly says: string }[] = [
  { flags: '--profile <name>', says: 'agent profile' },
  { flags: '--workflow <file>', says: 'workflow, by file or name' },
  { flags: '--deliverable <spec>', says: 'what must exist or have changed at the end' },
];

export function refuseUnavailable(what: string): never {
  throw usageError(`${what} is not available yet in this version; nothing was started`);
}
