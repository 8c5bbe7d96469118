/** From a tool's outcome to what is recorded: redacted, with the facts that the domain's decision needs. */
import { normalisePath } from '@/lib/domain/path';
import type { CallOutcome, RunInput } from '@/lib/domain/run/input';
import type { OpenCall } from '@/lib/domain/run/state';
import type { StepEvidence } from '@/lib/domain/step';
import type { AgentRun } from './agent-run';
import type { Directive, ToolOutcome } from './ports';

export async function finaliseCall(run: AgentRun, call: OpenCall, outcome: ToolOutcome): Promise<RunInput> {
  run.originals.delete(call.callId);
  return { type: 'end_call', callId: call.callId, outcome: await recorded(run, outcome) };
}

async function recorded(run: AgentRun, outcome: ToolOutcome): Promise<CallOutcome> {
  const { intake } = run;
  const output = (value: string | undefined): { output?: string } => (value === undefined ? {} : { output: intake.text(value) });
  switch (outcome.kind) {
    case 'completed':
      return {
        kind: 'completed',
        output: intake.text(outcome.output),
        truncated: outcome.truncated,
        ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
        ...(outcome.diff === undefined ? {} : { diff: intake.text(outcome.diff) }),
        ...(outcome.changedPaths === undefined ? {} : { changedPaths: outcome.changedPaths.map((path) => intake.text(normalisePath(path))) }),
      };
    case 'failed':
      return { kind: 'failed', code: outcome.code, message: intake.text(outcome.message), ...output(outcome.output) };
    case 'unknown':
      return { kind: 'unknown', reason: intake.text(outcome.reason), ...output(outcome.output) };
    case 'directive':
      return directed(run, outcome.directive);
  }
}

async function directed(run: AgentRun, directive: Directive): Promise<CallOutcome> {
  const { intake } = run;
  switch (directive.kind) {
    case 'update_plan':
      return { kind: 'plan_updated', items: directive.items.map((item) => ({ ...item, text: intake.text(item.text) })) };
    case 'report_blocker':
      return {
        kind: 'blocker_reported',
        blockerId: run.entropy.newId('blk'),
        report: intake.json(directive.report) as unknown as typeof directive.report,
      };
    case 'complete_step': {
      const evidence = intake.json(withRelativePaths(directive.evidence, run.workspace.root)) as StepEvidence;
      return {
        kind: 'step_ended',
        success: directive.success,
        evidence,
        ...(directive.reason === undefined ? {} : { reason: intake.text(directive.reason) }),
        differing: directive.success ? await run.changes.differing(paths(evidence)) : new Map(),
      };
    }
  }
}

const paths = (evidence: StepEvidence): string[] => {
  const files = evidence['files_changed'];
  return Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : [];
};

/** An agent may name a changed file by its absolute path; the record knows it by the relative one. */
function withRelativePaths(evidence: StepEvidence, root: string): StepEvidence {
  const files = evidence['files_changed'];
  if (!Array.isArray(files)) return evidence;
  const relative = files.map((file: unknown) =>
    typeof file !== 'string' ? file : normalisePath(file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file),
  );
  return { ...evidence, files_changed: relative as StepEvidence[string] };
}
