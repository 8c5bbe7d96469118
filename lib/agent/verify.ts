/** Runs the configured verifier; its outcome is recorded whatever it is, and prose plays no part in it. */
import { isStopped, type AgentRun } from './agent-run';

export async function verify(run: AgentRun, command: string): Promise<void> {
  const shown = run.intake.text(command);
  const started = await run.recorder.record([{ type: 'start_verification', command: shown }]);
  if (!started.ok || isStopped(run)) return;
  const result = await run.verification.verify(command, run.signal);
  // Stopped in the middle: the check has no result, and the next worker runs it again.
  if (isStopped(run)) return;
  await run.recorder.record([
    {
      type: 'complete_verification',
      result: result.ran
        ? {
            command: shown,
            success: result.exitCode === 0,
            exit_code: result.exitCode,
            stdout: run.intake.text(result.stdout),
            stderr: run.intake.text(result.stderr),
          }
        : { command: shown, success: null, exit_code: null, stdout: '', stderr: '', reason: run.intake.text(result.reason) },
    },
  ]);
}
