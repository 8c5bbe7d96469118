/**
 * The command line's grammar: verbs, options, help. What a verb does is in verbs/.
 *
 * Over 150 lines because it is the one list of everything that can be typed.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Configuration } from '@/lib/config/environment';
import { POLICIES } from '@/lib/domain/run/settings';
import { RUN_STATUSES, type RunStatus } from '@/lib/domain/run/status';
import { commandId, httpUrl, listLength, microUsd, seconds, wholeNumber } from './input/option-values';
import type { RunFlags } from './input/run-flags';
import { chooseControlPlane, shellFor, type RemoteFlags } from './remote/choose-control-plane';
import { connect, type ControlPlane } from './remote/control-plane';
import { remoteDoctor } from './remote/doctor';
import { remoteExec, remoteSubmit } from './remote/exec';
import { remoteCancel, remoteRuns, remoteShow } from './remote/look';
import { remoteExecResume, remoteResume } from './remote/resume';
import type { Shell } from './shell';
import { cancel, type CancelFlags } from './verbs/cancel';
import { doctor, type DoctorFlags } from './verbs/doctor';
import { exec } from './verbs/exec';
import { execResume, resume } from './verbs/resume';
import { runs, type RunsFlags } from './verbs/runs';
import { show } from './verbs/show';
import { start } from './verbs/start';
import { submit } from './verbs/submit';
import { refuseUnavailable, UNAVAILABLE_OPTIONS, UNAVAILABLE_VERBS } from './verbs/unavailable';
import { worker } from './verbs/worker';

export interface ProgramParts {
  readonly shell: Shell;
  /** Read when a verb is carried out: help must not fail on a bad variable. */
  readonly configuration: () => Configuration;
  readonly version: string;
  /** Told the exit code of the verb that was carried out. */
  readonly ended: (code: number) => void;
}

/** What a verb does, by where the engine is. */
interface Ways {
  readonly here: (configuration: Configuration) => Promise<number>;
  readonly there: (shell: Shell, plane: ControlPlane) => Promise<number>;
}

export function buildProgram(parts: ProgramParts): Command {
  const { shell, ended } = parts;
  const { configuration } = parts;
  const carryOut = async (flags: RemoteFlags, ways: Ways): Promise<void> => {
    const settings = configuration();
    const address = chooseControlPlane(flags, settings.remote);
    ended(address === null ? await ways.here(settings) : await ways.there(shellFor(shell, address, flags), connect(address)));
  };
  const program = newCommand(shell)
    .description('Runs coding agents on your repositories and tells the truth about how each run ended.')
    .version(parts.version, '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES);

  const execCommand = program
    .command('exec')
    .argument('[task]', 'what is to be done, in quotes')
    .description('run a task to its end')
    .action(async (task: string | undefined, flags: RunFlags) => {
      refuseOptions(flags);
      await carryOut(flags, {
        here: (settings) => exec(shell, settings, task, flags),
        there: (away, plane) => remoteExec(away, plane, task, flags),
      });
    });
  addRunOptions(execCommand);
  execCommand.addOption(new Option('--sample', 'run the bundled sample task; needs no model and no key'));

  const resumeCommand = execCommand
    .command('resume')
    .argument('<session_id>')
    .argument('[text]', 'a new message; without it the open turn goes on')
    .description('with text: a new turn of the session; without: its open turn goes on')
    .action(async (session: string, text: string | undefined, _flags: RunFlags, command: Command) => {
      const flags = command.optsWithGlobals<RunFlags>();
      refuseOptions(flags);
      await carryOut(flags, {
        here: (settings) => execResume(shell, settings, session, text, flags),
        there: (away, plane) => remoteExecResume(away, plane, session, text, flags),
      });
    });
  addResumeOptions(resumeCommand);

  addResumeOptions(program.command('resume').argument('<run_id>').description('go on with the open turn of a run'))
    .action(async (runId: string, flags: RunFlags) =>
      carryOut(flags, {
        here: (settings) => resume(shell, settings, runId, flags),
        there: (away, plane) => remoteResume(away, plane, runId, flags),
      }),
    );

  addRunOptions(program.command('submit').argument('[task]', 'what is to be done, in quotes').description('queue a task for worker processes'))
    .action(async (task: string | undefined, flags: RunFlags) => {
      refuseOptions(flags);
      await carryOut(flags, {
        here: (settings) => submit(shell, settings, task, flags),
        there: (away, plane) => remoteSubmit(away, plane, task, flags),
      });
    });

  addRemoteOptions(program.command('runs'))
    .description('list runs, newest first')
    .addOption(jsonOption('one JSON object: {items, next_cursor}'))
    .addOption(new Option('--status <status...>', 'only runs in this state').argParser(statuses))
    .addOption(new Option('--limit <n>', 'how many').argParser(listLength))
    .addOption(new Option('--cursor <cursor>', 'the page after this one'))
    .action(async (flags: RunsFlags & RemoteFlags) =>
      carryOut(flags, { here: (settings) => runs(shell, settings, flags), there: (away, plane) => remoteRuns(away, plane, flags) }),
    );

  addRemoteOptions(program.command('show'))
    .argument('<run_id>')
    .description('show one run')
    .addOption(jsonOption('the run as one JSON object'))
    .action(async (runId: string, flags: RemoteFlags & { readonly json?: boolean }) =>
      carryOut(flags, { here: (settings) => show(shell, settings, runId, flags), there: (away, plane) => remoteShow(away, plane, runId, flags) }),
    );

  addRemoteOptions(program.command('cancel'))
    .argument('<run_id>')
    .description('cancel a run, whoever drives it')
    .addOption(jsonOption('the run as one JSON object'))
    .addOption(commandIdOption())
    .action(async (runId: string, flags: CancelFlags & RemoteFlags) =>
      carryOut(flags, { here: (settings) => cancel(shell, settings, runId, flags), there: (away, plane) => remoteCancel(away, plane, runId, flags) }),
    );

  program
    .command('worker')
    .description('take queued runs until stopped')
    .action(async () => ended(await worker(shell, configuration())));

  program
    .command('start')
    .description('start Pilothouse on this machine; what "npm start" does')
    .action(async () => ended(await start(shell, configuration())));

  addRemoteOptions(program.command('doctor'))
    .description('say what is configured, reachable, missing')
    .addOption(jsonOption('the findings as one JSON object'))
    .addOption(new Option('--ping', 'also ask the model endpoint whether it answers'))
    .action(async (flags: DoctorFlags & RemoteFlags) =>
      carryOut(flags, { here: (settings) => doctor(shell, settings, flags), there: (away, plane) => remoteDoctor(away, plane, flags) }),
    );

  for (const { usage, says } of UNAVAILABLE_VERBS) {
    const name = usage.split(' ')[0] ?? usage;
    program
      .command(usage)
      .description(`${says} (not available yet)`)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => refuseUnavailable(`"${name}"`));
  }
  return program;
}

/** Subcommands inherit this, when they are made after it. */
function newCommand(shell: Shell): Command {
  return new Command('pilothouse')
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
      // What is wrong is printed at one place, with the exit code (main.ts).
      outputError: () => undefined,
    });
}

const jsonOption = (says: string): Option => new Option('--json', says);
const commandIdOption = (): Option =>
  new Option('--command-id <id>', 'names this command: the same id again gives the first result').argParser(commandId);

function addRemoteOptions(command: Command): Command {
  // No parser may refuse a token: the refusal would quote it.
  return command
    .addOption(new Option('--url <url>', 'a control plane elsewhere, whose workers do the work (default: PILOTHOUSE_URL)'))
    .addOption(new Option('--token <token>', 'token for it; PILOTHOUSE_TOKEN keeps it out of the list of processes'));
}

function addLimitOptions(command: Command): Command {
  return command
    .addOption(new Option('--max-cost-usd <n>', 'pause when the turn has cost this much').argParser(microUsd))
    .addOption(new Option('--max-tokens <n>', 'pause when the turn has used this many').argParser(wholeNumber))
    .addOption(new Option('--max-turns <n>', 'pause after this many rounds').argParser(wholeNumber))
    .addOption(new Option('--max-tool-calls <n>', 'pause after this many tool calls').argParser(wholeNumber))
    .addOption(new Option('--max-wall-seconds <n>', 'pause after this much time at work').argParser(seconds));
}

function addRunOptions(command: Command): Command {
  command
    .addOption(jsonOption('one JSON object a line on stdout'))
    .addOption(new Option('--cwd <dir>', 'the workspace (default: the current directory); with --url a path on the machine of the control plane'))
    .addOption(new Option('--read-only', 'the workspace may not be changed'))
    .addOption(new Option('--model <model>', 'model name, or scripted:FILE to replay a script (default: PILOTHOUSE_MODEL)'))
    .addOption(new Option('--base-url <url>', 'OpenAI-compatible endpoint (default: OPENAI_BASE_URL)').argParser(httpUrl))
    .addOption(new Option('--verifier <command>', 'checks the result; its exit code decides'))
    .addOption(new Option('--policy <policy>', 'what calls with an effect need').choices(POLICIES))
    .addOption(new Option('--unsandboxed', 'run commands where there is no sandbox; you answer for what they do'))
    .addOption(new Option('--save-history', 'keep the session, so that "exec resume" can go on'))
    .addOption(commandIdOption());
  addRemoteOptions(addLimitOptions(command));
  for (const { flags, says } of UNAVAILABLE_OPTIONS) command.addOption(new Option(flags, `${says} (not available yet)`));
  return command;
}

function addResumeOptions(command: Command): Command {
  command
    .addOption(jsonOption('one JSON object a line on stdout'))
    .addOption(new Option('--base-url <url>', 'OpenAI-compatible endpoint (default: OPENAI_BASE_URL)').argParser(httpUrl))
    .addOption(commandIdOption());
  return addRemoteOptions(addLimitOptions(command));
}

function refuseOptions(flags: RunFlags): void {
  for (const name of ['profile', 'workflow', 'deliverable'] as const) {
    if (flags[name] !== undefined) refuseUnavailable(`--${name}`);
  }
}

function statuses(text: string, before: readonly RunStatus[] = []): readonly RunStatus[] {
  const found = RUN_STATUSES.find((status) => status === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of: ${RUN_STATUSES.join(', ')}.`);
  return [...before, found];
}

const EXAMPLES = `
Examples:
  $ pilothouse exec --sample                          see it work: no model, no key
  $ pilothouse exec "fix the failing test"            in the current directory
  $ pilothouse exec --json --verifier "npm test" "…"  for scripts: events on stdout
  $ pilothouse exec --save-history --max-turns 30 "…"
  $ pilothouse exec resume ses_… "also update the docs"
  $ pilothouse runs --status paused
  $ pilothouse exec --url https://pilothouse.example.org --cwd /srv/repository "…"
  $ pilothouse doctor

Exit codes of exec:
  0 succeeded   1 failed   2 verification failed   3 failed (approval)   4 paused
  5 blocked     6 interrupted   64 usage   69 database or control plane unreachable
  130, 143 cancelled

The model is set by OPENAI_API_KEY, PILOTHOUSE_MODEL and, for another
OpenAI-compatible endpoint, OPENAI_BASE_URL.`;
