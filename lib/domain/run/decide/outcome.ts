/** What one call's outcome says (I4): its event, and what a control tool asked of the harness. */
import { normalisePath } from '../../path';
import type { StepEvidence } from '../../step';
import type { RunEventBody } from '../event';
import type { CallOutcome } from '../input';
import type { OpenCall, RunState } from '../state';
import { event } from './decision';

export function outcomeEvents(state: RunState, call: OpenCall, outcome: CallOutcome): RunEventBody[] {
  const call_id = call.callId;
  switch (outcome.kind) {
    case 'completed':
      return [
        event('tool.completed', {
          call_id,
          output: outcome.output,
          truncated: outcome.truncated,
          ...(outcome.exitCode === undefined ? {} : { exit_code: outcome.exitCode }),
          ...(outcome.diff === undefined ? {} : { diff: outcome.diff }),
          ...(outcome.changedPaths === undefined ? {} : { changed_paths: [...outcome.changedPaths] }),
        }),
      ];
    case 'failed': {
      const { kind: _kind, ...failed } = outcome;
      return [event('tool.failed', { call_id, ...failed })];
    }
    case 'unknown': {
      const { kind: _kind, ...unknown } = outcome;
      return [event('tool.unknown', { call_id, ...unknown })];
    }
    case 'plan_updated':
      return [said(call_id, 'The plan is updated.'), event('plan.updated', { call_id, items: [...outcome.items] })];
    case 'step_ended':
      return stepEvents(state, call_id, outcome);
    case 'blocker_reported':
      // The first blocker ended the task: a second one of the same response would leave the first without an answer.
      if (state.blocker !== null) return [afterBlocker(call_id)];
      return [
        said(call_id, 'The blocker is recorded. The task ends here.'),
        event('blocker.reported', { ...outcome.report, call_id, blocker_id: outcome.blockerId }),
      ];
  }
}

const afterBlocker = (call_id: string): RunEventBody =>
  event('tool.failed', { call_id, code: 'task_ended', message: 'A blocker is already recorded, and the task ends with it.' });

const said = (call_id: string, output: string): RunEventBody => event('tool.completed', { call_id, output, truncated: false });

/** The implicit step's evidence is `{summary (not empty), files_changed[]}` (domain.md §8). */
function stepEvents(state: RunState, call_id: string, outcome: Extract<CallOutcome, { kind: 'step_ended' }>): RunEventBody[] {
  if (state.blocker !== null) return [afterBlocker(call_id)];
  const { success, evidence, reason } = outcome;
  if (!success) {
    const why = text(reason) ?? text(evidence['summary']) ?? 'no reason was given';
    return [said(call_id, 'The step is recorded as failed.'), event('step.failed', { call_id, evidence, reason: why })];
  }
  const refusal = refuseEvidence(state, evidence, outcome.differing);
  if (refusal !== null) {
    return [
      event('tool.failed', { call_id, code: 'step_refused', message: refusal }),
      event('step.refused', { call_id, reason: refusal }),
    ];
  }
  return [
    said(call_id, 'The step is complete. Now answer the user in plain text with the result.'),
    event('step.completed', { call_id, evidence }),
  ];
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

function refuseEvidence(state: RunState, evidence: StepEvidence, differing: ReadonlyMap<string, boolean | 'unknown'>): string | null {
  if (text(evidence['summary']) === null) return 'Evidence field `summary` is missing or empty: say what was done.';
  const files = evidence['files_changed'];
  if (!Array.isArray(files)) return 'Evidence field `files_changed` is missing: list the changed paths, or give an empty list.';
  const written = new Set(state.changedPaths.map(normalisePath));
  for (const file of files as readonly unknown[]) {
    if (typeof file !== 'string') return 'Evidence field `files_changed` holds something that is not a path.';
    const path = normalisePath(file);
    if (!written.has(path) && differing.get(file) !== true) {
      return `Evidence field \`files_changed\` names ${file}, but no successful write to it is recorded and it does not differ from the beginning of the turn.`;
    }
  }
  return null;
}
