/**
 * The ports of the agent loop: everything it needs from outside, as plain
 * functions. Obligations stand beside each ("must not throw"); adapters in
 * models/, tools/ and workspaces/ implement them and import nothing else of agent/.
 */
import type { BlockerReport } from '@/lib/domain/blocker';
import type { ProviderFailure } from '@/lib/domain/failure';
import type { CallId, NewId, RequestId } from '@/lib/domain/id';
import type { JsonValue } from '@/lib/domain/json';
import type { ChatMessage } from '@/lib/domain/message';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import type { PlanItem, StepEvidence } from '@/lib/domain/step';
import type { CallEffect } from '@/lib/domain/tool-call';
import type { ModelPrice, UsageReport } from '@/lib/domain/usage';

// ---------------------------------------------------------------- model

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: JsonValue;
}

export interface ModelDelta {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

export interface ModelRequest {
  readonly requestId: RequestId;
  readonly model: string;
  /** Fixed for the whole session (prefix caching). */
  readonly systemPrompt: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  readonly maxOutputTokens?: number;
  /** How many requests of this task were settled before (responded or failed; aborted ones do not count). */
  readonly taskRequestIndex: number;
  readonly signal: AbortSignal;
  /** Called in order for each piece; never called after the outcome is returned. Does not throw. */
  readonly onDelta: (delta: ModelDelta) => void;
}

/** A call as the model asked for it: `arguments` is the raw text, unparsed and unredacted. */
export interface RequestedCall {
  /** Empty when the provider gave none. */
  readonly providerCallId: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * - `stop`, `tool_calls`, `length`: as the provider said.
 * - `unknown`: something else, or `[DONE]` without a reason; there was visible content.
 */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'unknown';

export type ModelOutcome =
  | {
      readonly kind: 'responded';
      readonly text: string;
      readonly reasoning: string;
      /** Empty after `length`: a cut response runs nothing. */
      readonly calls: readonly RequestedCall[];
      readonly finishReason: FinishReason;
      readonly usage: UsageReport;
      readonly providerRequestId?: string;
    }
  | {
      readonly kind: 'failed';
      readonly failure: ProviderFailure;
      readonly usage: UsageReport;
      /** Visible text seen before the failure; not a response. */
      readonly partialText: string;
      /** Bounded raw frames, for evidence; unredacted, the caller redacts. */
      readonly frames: readonly string[];
    };

export interface ModelPort {
  /**
   * One attempt, no retries. Never rejects: every failure is an outcome, an abort
   * included (`class: 'aborted'`). Settles within a second of `signal` firing.
   */
  request(request: ModelRequest): Promise<ModelOutcome>;
  /** null: the price is not known, which is not free. */
  price(model: string): ModelPrice | null;
  /**
   * What the model still expected when the task delivered after `settledRequests`
   * requests: the scripted model's unused entries. null for real providers.
   */
  unfinished(settledRequests: number): ProviderFailure | null;
}

// ---------------------------------------------------------------- tools

export type OutputStream = 'stdout' | 'stderr';

/** How a command may be run; recorded with the run and shown on its page. */
export type SandboxMode = 'bubblewrap' | 'unsandboxed' | 'none';

/** The workspace as tools see it. Paths given to tools are resolved against `root` by the path rule. */
export interface ToolWorkspace {
  /** Canonical absolute directory. */
  readonly root: string;
  readonly access: 'read_write' | 'read_only';
}

export interface ToolContext {
  readonly callId: CallId;
  readonly workspace: ToolWorkspace;
  readonly signal: AbortSignal;
  /** Live output of a command, unredacted; the caller redacts and coalesces. Does not throw. */
  readonly onOutput: (stream: OutputStream, text: string) => void;
}

/** What a control tool asks of the harness; the domain decides, not the tool. */
export type Directive =
  | { readonly kind: 'update_plan'; readonly items: readonly PlanItem[] }
  | { readonly kind: 'complete_step'; readonly success: boolean; readonly evidence: StepEvidence; readonly reason?: string }
  | { readonly kind: 'report_blocker'; readonly report: BlockerReport };

export type ToolOutcome =
  | {
      readonly kind: 'completed';
      /** What the model sees. Unredacted; bounded by the tool (byte-true). */
      readonly output: string;
      readonly truncated: boolean;
      /** A command that ran, whatever its exit code, is completed (domain.md §4). */
      readonly exitCode?: number;
      /** Unified diff of an edit, bounded. */
      readonly diff?: string;
      /** Workspace-relative paths, with `/`, that this call wrote. */
      readonly changedPaths?: readonly string[];
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly output?: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly output?: string }
  | { readonly kind: 'directive'; readonly directive: Directive };

/** What policy rules look at (issue of approvals: path and command patterns). */
export interface CallSubject {
  /** Workspace-relative path, when the call has one. */
  readonly path?: string;
  readonly command?: string;
}

export type Prepared =
  | {
      readonly ok: true;
      readonly subject: CallSubject;
      /**
       * Runs the call. Never rejects; resolves soon after `signal` fires, with the
       * true outcome where it is known and `unknown` where it is not. An edit or
       * write that was applied says `completed` even if the signal fired meanwhile.
       */
      readonly execute: (context: ToolContext) => Promise<ToolOutcome>;
    }
  /** Refused before any effect: invalid arguments, path outside, read-only workspace … */
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface Tool {
  readonly description: ToolDescription;
  readonly effect: CallEffect;
  /** `edit` and `write_file`: a success raises the task's write count (domain.md §7). */
  readonly countsAsWrite: boolean;
  /** No effect and no reading beyond what the arguments need. Never throws. */
  prepare(argumentsObject: JsonValue, workspace: ToolWorkspace): Prepared | Promise<Prepared>;
}

export interface ToolPort {
  readonly descriptions: readonly ToolDescription[];
  find(name: string): Tool | undefined;
  /** How `run_command` would run here. */
  readonly sandbox: SandboxMode;
}

// ---------------------------------------------------------------- workspace

export type Comparison = 'equal' | 'differs' | 'unknown';

/** The workspace as the loop sees it: state at the turn's start, and what changed since. Never rejects. */
export interface WorkspacePort {
  /** Call before the first call with an effect of a turn; idempotent per turn. */
  rememberStart(): Promise<void>;
  /** Against the turn's start; `equal` when no start was remembered, since nothing had an effect then. */
  compare(): Promise<Comparison>;
  /** For each workspace-relative path: does it differ from the turn's start? */
  differing(paths: readonly string[]): Promise<ReadonlyMap<string, boolean | 'unknown'>>;
  /** Unified diff against the turn's start, bounded in bytes; null when it cannot be told. */
  diff(): Promise<{ readonly text: string; readonly truncated: boolean } | null>;
}

// ---------------------------------------------------------------- verification

export interface VerificationPort {
  /** Runs `command` in the workspace under the run's sandbox. Never rejects. */
  verify(command: string, signal: AbortSignal): Promise<VerificationResult>;
}
export type VerificationResult =
  | { readonly ran: true; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  /** The check could not be executed: that is `not_run`, never `failed`, and never success. */
  | { readonly ran: false; readonly reason: string };

// ---------------------------------------------------------------- entry

/** The one place through which text and JSON from outside enter: cleaned, redacted, bounded (I11). */
export interface IntakePort {
  text(value: string): string;
  json(value: unknown): JsonValue;
  /** For deltas: holds back what might be the beginning of a secret. */
  stream(): { push(chunk: string): string; flush(): string };
  /** Seals a call's original arguments for the executor only. */
  seal(argumentsText: string, callId: CallId): Uint8Array;
  open(sealed: Uint8Array, callId: CallId): string;
}

export interface Clock {
  /** Milliseconds, monotonic; for durations only. */
  readonly monotonic: () => number;
  /** Resolves after `ms`, or at once when `signal` fires. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Entropy {
  readonly newId: NewId;
  /** In [0, 1). For jitter. */
  readonly random: () => number;
}

export type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
/** Ephemeral pieces for whoever watches (contract.md §4). Must not throw and must not block. */
export type Publish = (event: EphemeralEvent) => void;
