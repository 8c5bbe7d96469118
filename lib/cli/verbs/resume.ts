/**
 * `exec resume <session_id> ["text"]` and `resume <run_id>`: the next turn of a session,
 * or the next generation of its open turn, driven in this process.
 */
import { scriptOf } from '@/lib/domain/model-name';
import type { Configuration } from '@/lib/config/environment';
import type { SubmittedRun } from '@/lib/commands/dispatch';
import { resumeRun } from '@/lib/commands/resume-run';
import { startTurn } from '@/lib/commands/start-turn';
import { isId, type RunId, type SessionId } from '@/lib/domain/id';
import type { Limits, RunSettings } from '@/lib/domain/run/settings';
import { listRuns } from '@/lib/queries/list-runs';
import type { System } from '@/lib/system';
import { usageError } from '../cli-error';
import { givesLimits, limitsFrom } from '../input/limits';
import { messageText } from '../input/message-text';
import type { RunFlags } from '../input/run-flags';
import { checkPrice } from '../input/run-settings';
import type { Shell } from '../shell';
import { asUsage } from '../turn/as-usage';
import { driveTurn } from '../turn/drive-turn';
import { localDispatch } from '../turn/local-dispatch';
import { openReporter } from '../turn/open-reporter';
import { settingsOf } from '../turn/read-events';
import { withSystem } from '../with-system';

export function execResume(shell: Shell, configuration: Configuration, session: string, text: string | undefined, flags: RunFlags): Promise<number> {
  if (!isId('ses', session)) throw usageError(`${session} is not a session id`, 'Session ids begin with ses_; a run goes on with "resume <run_id>".');
  const message = text === undefined ? null : messageText(text, 'message');
  return goOn(shell, configuration, flags, async (system) => {
    const latest = await latestRun(system, session);
    return { latest, message, session };
  });
}

export function resume(shell: Shell, configuration: Configuration, run: string, flags: RunFlags): Promise<number> {
  if (!isId('run', run)) throw usageError(`${run} is not a run id`, 'Run ids begin with run_; a session goes on with "exec resume <session_id>".');
  return goOn(shell, configuration, flags, async () => ({ latest: run, message: null, session: null }));
}

interface Target {
  /** Whose settings stand. */
  readonly latest: RunId;
  readonly session: SessionId | null;
  readonly message: string | null;
}

function goOn(
  shell: Shell,
  configuration: Configuration,
  flags: RunFlags,
  find: (system: System) => Promise<Target>,
): Promise<number> {
  refuseWidening(flags);
  const model = flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl };
  return withSystem({ configuration, model }, async (system) => {
    const target = await find(system);
    const settings = await settingsOf(system, target.latest);
    if (settings === null) throw usageError(`there is no run ${target.latest}`);
    checkModel(settings, configuration, flags);
    const submitted = await asUsage(goOnWith(system, target, newLimits(system, settings, flags), flags));
    return driveTurn(shell, system, submitted, openReporter(shell, flags));
  });
}

function goOnWith(system: System, target: Target, limits: { readonly limits?: Limits }, flags: RunFlags): Promise<SubmittedRun> {
  const request = {
    projectId: system.projectId,
    commandId: flags.commandId ?? system.commands.newId('cmd'),
    actor: system.actor,
    dispatch: localDispatch(system),
    ...limits,
  };
  if (target.session !== null && target.message !== null) {
    return startTurn(system.commands, { ...request, sessionId: target.session, text: system.intake(target.message) });
  }
  return resumeRun(system.commands, { ...request, target: target.session === null ? { runId: target.latest } : { sessionId: target.session } });
}

async function latestRun(system: System, sessionId: SessionId): Promise<RunId> {
  const page = await listRuns(system.store, { projectId: system.projectId, sessionId, limit: 1 });
  const run = page?.items[0];
  if (run === undefined) throw usageError(`there is no session ${sessionId}`);
  return run.id;
}

/** A resume may set limits anew; what the session may do stays as it was. */
function newLimits(system: System, settings: RunSettings, flags: RunFlags): { readonly limits?: Limits } {
  if (!givesLimits(flags)) return {};
  const limits = limitsFrom(flags, settings.limits);
  checkPrice({ model: settings.model, limits }, system);
  return { limits };
}

const FIXED = [
  ['cwd', '--cwd'],
  ['model', '--model'],
  ['readOnly', '--read-only'],
  ['policy', '--policy'],
  ['unsandboxed', '--unsandboxed'],
  ['verifier', '--verifier'],
  ['saveHistory', '--save-history'],
  ['sample', '--sample'],
] as const satisfies readonly (readonly [keyof RunFlags, string])[];

export function refuseWidening(flags: RunFlags): void {
  for (const [name, option] of FIXED) {
    if (flags[name] !== undefined) throw usageError(`${option} is fixed for the session; a resume takes the --max-* limits, --base-url and --json`);
  }
}

/** Where a model answers is not stored: an endpoint must be configured again. */
function checkModel(settings: RunSettings, { model }: Configuration, flags: RunFlags): void {
  if (scriptOf(settings.model) !== null || flags.baseUrl !== undefined || model.apiKey !== undefined || model.baseUrl !== undefined) return;
  throw usageError('no model is configured', "Set OPENAI_API_KEY or OPENAI_BASE_URL, as for the session's first run.");
}
