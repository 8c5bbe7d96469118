/** What every drive in a process shares. Made by the composition root. */
import type { Clock, Entropy, EphemeralEvent, IntakePort, ModelPort, ToolPort, ToolWorkspace, VerificationPort, WorkspacePort } from '@/lib/agent/ports';
import type { RunId, TurnId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { Store } from '@/lib/store/database';
import type { WritePath } from '@/lib/store/group-commit';
import type { CommandRunner } from '@/lib/tools/command/create-command-runner';
import type { CloneOutcome, CloneRequest } from '@/lib/workspaces/clone-repository';
import type { LeaseKeeper } from './lease-keeper';

export interface Engine {
  readonly store: Store;
  readonly writePath: WritePath;
  readonly leases: LeaseKeeper;
  readonly intake: IntakePort;
  /** To whoever watches from another process. Must not throw and must not wait. */
  readonly publish: (runId: RunId, event: EphemeralEvent) => void;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly modelRetries: number;
  readonly newNonce: () => string;
  /** Keyed hash of a call's original input. */
  readonly hashInput: (input: JsonValue) => string;
  readonly modelFor: (model: string) => ModelPort;
  /** @param unsandboxed the caller answers for commands where no sandbox is present. */
  readonly runnerFor: (unsandboxed: boolean) => Promise<CommandRunner>;
  readonly toolsFor: (runner: CommandRunner) => ToolPort;
  readonly verificationFor: (runner: CommandRunner, workspace: ToolWorkspace) => VerificationPort;
  /** Whether a run that was queued for any worker may work in this directory. Never rejects. */
  readonly mayWorkIn: (directory: string) => Promise<boolean>;
  readonly changesFor: (root: string, turnId: TurnId) => WorkspacePort;
  /** Makes a session's clone unless it is there. Never rejects. */
  readonly clone: (request: Omit<CloneRequest, 'localRoots'>) => Promise<CloneOutcome>;
  /** What nobody foresaw, for the operator's log. Must not throw. */
  readonly onUnexpected: (error: unknown, runId: RunId) => void;
}
