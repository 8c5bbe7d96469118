/** Everything one run's loop works with: the recorder, the ports and the bounds. No state of its own. */
import type { CallId } from '@/lib/domain/id';
import type { OtherTotals } from '@/lib/domain/run/input';
import type {
  Clock,
  Entropy,
  IntakePort,
  ModelPort,
  Publish,
  ToolPort,
  ToolWorkspace,
  VerificationPort,
  WorkspacePort,
} from './ports';
import type { RunRecorder, SealedInput } from './recorder';

export interface AgentRun {
  readonly recorder: RunRecorder;
  readonly model: ModelPort;
  readonly tools: ToolPort;
  readonly workspace: ToolWorkspace;
  readonly changes: WorkspacePort;
  readonly verification: VerificationPort;
  readonly intake: IntakePort;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly publish: Publish;
  /** Fires when the run must stop now: cancel, worker stop, lease lost. */
  readonly signal: AbortSignal;
  readonly systemPrompt: string;
  readonly modelRetries: number;
  /** Seconds of work in this generation before this claim (waiting does not count). */
  readonly workedBeforeSeconds: number;
  readonly claimedAt: number;
  /**
   * Original arguments of calls that have not ended, by call. Filled when the calls
   * are proposed, or from their seals when another worker proposed them.
   */
  readonly originals: Map<CallId, string>;
  /** Seals a call's original arguments together with a keyed hash of them. */
  readonly seal: (argumentsText: string, callId: CallId) => SealedInput;
  /** Sums over the other runs of the turn, as committed now. */
  readonly readOthers: () => Promise<OtherTotals>;
}

/** Asked anew after each wait: a property read once would be believed for ever. */
export const isStopped = (run: AgentRun): boolean => run.signal.aborted;

/** Whether live pieces of the run still reach anyone: not once it is being cancelled (I7), and not from a lost lease. */
export const isHeard = (run: AgentRun): boolean => !isStopped(run) && run.recorder.state.status === 'running';
