import type { EndReason } from '@/lib/domain/run/input';
import type { AgentRun } from './agent-run';

/** Ends the run; what the terminal says is decided from the record. */
export async function endRun(run: AgentRun, reason: EndReason): Promise<void> {
  await run.recorder.record([{ type: 'end', reason, others: await run.readOthers() }]);
}
