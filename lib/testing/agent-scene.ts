/** One run of the agent loop with everything around it in sight: recorder, model, tools, clock, watchers. */
import type { AgentRun } from '@/lib/agent/agent-run';
import { driveTask } from '@/lib/agent/drive-task';
import type { Clock, Comparison, EphemeralEvent, ModelPort, ToolPort, VerificationResult } from '@/lib/agent/ports';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import type { Carried } from '@/lib/domain/run/event';
import type { OtherTotals } from '@/lib/domain/run/input';
import type { RunSettings } from '@/lib/domain/run/settings';
import type { CallId, IdOf, IdPrefix, NewId } from '@/lib/domain/id';
import { createIntake } from '@/lib/evidence/intake';
import { createRedactor } from '@/lib/evidence/redact';
import { createSealer } from '@/lib/evidence/seal';
import { fakeModel, type Answer } from './fake-model';
import { fakeTools, type FakeTool, type FakeTools } from './fake-tools';
import { MemoryRecorder } from './memory-recorder';
import { running, type Played } from './play-run';

/** The redactor of every scene knows it. */
export const SECRET = 'correct-horse-battery-staple';
export const ROOT = '/srv/house';

export class FakeClock implements Clock {
  now = 0;
  readonly slept: number[] = [];
  monotonic(): number {
    return this.now;
  }
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (signal.aborted) return;
    this.slept.push(ms);
    this.now += ms;
  }
}

export interface SceneOptions {
  readonly answers?: readonly Answer[];
  /** Instead of `answers`. */
  readonly model?: ModelPort;
  readonly tools?: Readonly<Record<string, FakeTool>>;
  /** Instead of `tools`. */
  readonly toolPort?: ToolPort;
  readonly settings?: Partial<RunSettings>;
  readonly carried?: Partial<Carried>;
  /** Instead of a run that was just claimed. */
  readonly from?: Played;
  readonly originals?: ReadonlyMap<CallId, string>;
  readonly comparison?: Comparison;
  readonly differing?: ReadonlyMap<string, boolean | 'unknown'>;
  readonly verification?: VerificationResult | ((signal: AbortSignal) => Promise<VerificationResult>);
  readonly modelRetries?: number;
  readonly workedBeforeSeconds?: number;
  readonly others?: OtherTotals;
}

export interface Scene {
  readonly run: AgentRun;
  readonly recorder: MemoryRecorder;
  readonly model: ReturnType<typeof fakeModel>;
  readonly tools: FakeTools;
  readonly clock: FakeClock;
  readonly published: EphemeralEvent[];
  readonly verified: string[];
  /** Events, dials, beginnings and ends of executions, in the order in which they happened. */
  readonly journal: string[];
  /** A cancel, and the worker that hears of it. */
  readonly cancel: () => void;
  /** The worker stops, or has lost its lease. */
  readonly stop: () => void;
  readonly drive: () => Promise<void>;
}

const sealer = createSealer(Buffer.alloc(32, 7));
const intake = createIntake({ redactor: createRedactor({ known: [SECRET] }), sealer });

export function sceneOf(options: SceneOptions): Scene {
  const journal: string[] = [];
  const recorder = new MemoryRecorder(options.from ?? running(options.settings, options.carried), journal);
  const model = fakeModel(options.answers ?? [], { journal });
  const tools = fakeTools(options.tools ?? {}, { journal });
  const clock = new FakeClock();
  const published: EphemeralEvent[] = [];
  const verified: string[] = [];
  const controller = new AbortController();
  const run: AgentRun = {
    recorder,
    model: options.model ?? model,
    tools: options.toolPort ?? tools,
    workspace: { root: ROOT, access: recorder.state.settings.access },
    changes: {
      rememberStart: async () => void journal.push('remember start'),
      compare: async () => options.comparison ?? 'equal',
      differing: async (paths) => new Map(paths.map((path) => [path, options.differing?.get(path) ?? false])),
      diff: async () => null,
    },
    verification: {
      async verify(command, signal) {
        verified.push(command);
        const { verification } = options;
        if (typeof verification === 'function') return verification(signal);
        return verification ?? { ran: false, reason: 'no verifier in this scene' };
      },
    },
    intake,
    clock,
    entropy: { newId: counting(), random: () => 0.5 },
    publish: (event) => void published.push(event),
    signal: controller.signal,
    systemPrompt: 'You are an agent.',
    modelRetries: options.modelRetries ?? 5,
    workedBeforeSeconds: options.workedBeforeSeconds ?? 0,
    claimedAt: 0,
    originals: new Map(options.originals ?? []),
    seal: (argumentsText, callId) => ({ bytes: sealer.seal(argumentsText, callId), inputHash: 'hash' }),
    readOthers: async () => options.others ?? NO_OTHERS,
  };
  return {
    run,
    recorder,
    model,
    tools,
    clock,
    published,
    verified,
    journal,
    cancel() {
      recorder.cancel();
      controller.abort();
    },
    stop: () => controller.abort(),
    drive: () => driveTask(run),
  };
}

function counting(): NewId {
  let count = 0;
  return <P extends IdPrefix>(prefix: P) => `${prefix}_${(count += 1)}` as IdOf<P>;
}

/** Drives it to its end. */
export async function played(options: SceneOptions): Promise<Scene> {
  const scene = sceneOf(options);
  await scene.drive();
  return scene;
}
