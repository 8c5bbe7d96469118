import type { Policy } from '@/lib/domain/run/settings';
import type { LimitFlags } from './limits';
import type { ModelFlags } from './model-choice';

/** The options of `exec`, `exec resume` and `submit`, as parsed. */
export interface RunFlags extends LimitFlags, ModelFlags {
  readonly json?: boolean;
  readonly cwd?: string;
  readonly readOnly?: boolean;
  readonly verifier?: string;
  readonly policy?: Policy;
  readonly unsandboxed?: boolean;
  readonly saveHistory?: boolean;
  readonly commandId?: string;
  readonly sample?: boolean;
  readonly profile?: string;
  readonly workflow?: string;
  readonly deliverable?: string;
  readonly url?: string;
  readonly token?: string;
}
