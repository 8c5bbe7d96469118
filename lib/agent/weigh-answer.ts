/** A plain-text answer is weighed against the record: delivery, one report, or unresolved (domain.md §8). */
import { isHard, type Objection } from '@/lib/domain/delivery';
import { objectionsTo } from '@/lib/domain/run/objections';
import { deliveryReport } from '@/lib/steering/delivery-report';
import type { AgentRun } from './agent-run';
import { endRun } from './end-run';

export async function weighAnswer(run: AgentRun): Promise<void> {
  const { state } = run.recorder;
  const doubtful = state.edits.attempted > 0 && state.edits.succeeded === 0;
  const objections = objectionsTo(state, doubtful ? await run.changes.compare() : 'differs');
  if (objections.some((objection) => isNews(objection, state.objectionsReported))) {
    await run.recorder.record([{ type: 'append_message', origin: 'report', text: deliveryReport(objections), objections }]);
    return;
  }
  // A model that expected to be asked more has not delivered what its script says.
  const unfinished = run.model.unfinished(state.carried.settled_requests + state.settledRequests);
  if (unfinished !== null) {
    return endRun(run, { kind: 'harness_failed', class: 'runtime', code: unfinished.code, message: unfinished.message });
  }
  const verdict = objections.some(isHard) ? 'unresolved' : 'accepted';
  await run.recorder.record([{ type: 'record_delivery', verdict, objections }]);
}

/** One report in all; but nobody ends as unresolved over a hard objection that was never put to them. */
function isNews(objection: Objection, reported: readonly Objection[] | null): boolean {
  return reported === null || (isHard(objection) && !reported.some(({ code }) => code === objection.code));
}
