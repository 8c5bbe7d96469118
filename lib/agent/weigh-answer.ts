/** A plain-text answer is weighed against the record: delivery, one report, or unresolved (domain.md §8). */
import { isHard } from '@/lib/domain/delivery';
import { objectionsTo } from '@/lib/domain/run/objections';
import { deliveryReport } from '@/lib/steering/delivery-report';
import type { AgentRun } from './agent-run';
import { endRun } from './end-run';

export async function weighAnswer(run: AgentRun): Promise<void> {
  const { state } = run.recorder;
  const unfinished = run.model.unfinished(state.carried.settled_requests + state.settledRequests);
  if (unfinished !== null) {
    return endRun(run, { kind: 'harness_failed', class: 'runtime', code: unfinished.code, message: unfinished.message });
  }
  const doubtful = state.edits.attempted > 0 && state.edits.succeeded === 0;
  const objections = objectionsTo(state, doubtful ? await run.changes.compare() : 'differs');
  if (objections.length > 0 && state.objectionsReported === null) {
    await run.recorder.record([{ type: 'append_message', origin: 'report', text: deliveryReport(objections), objections }]);
    return;
  }
  const verdict = objections.some(isHard) ? 'unresolved' : 'accepted';
  await run.recorder.record([{ type: 'record_delivery', verdict, objections }]);
}
