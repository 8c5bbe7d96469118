import { includesRole } from '@/lib/domain/role';
import type { RunFlags } from '../input/run-flags';
import { meAnswer, runAnswer } from './answers';
import { newCommandId, type ControlPlane } from './control-plane';
import type { Begun } from './watch-remote-turn';

/** Posts what begins a run. @throws ControlPlaneError */
export async function beginRun(plane: ControlPlane, path: string, body: unknown, flags: Pick<RunFlags, 'commandId'>): Promise<Begun> {
  const commandId = flags.commandId ?? newCommandId();
  const { status, value: run } = await plane.ask({ method: 'POST', path, schema: runAnswer, body, commandId });
  // A command id that was made here is nobody else's: 200 then means that the first answer was lost.
  return { run, ours: status === 201 || flags.commandId === undefined };
}

/** The sample's commands are ours: where there is no sandbox, who may answer for them does. @throws ControlPlaneError */
export async function mayAnswerForSample(plane: ControlPlane): Promise<boolean> {
  const { value } = await plane.ask({ method: 'GET', path: '/api/v1/me', schema: meAnswer });
  return includesRole(value.role, 'admin');
}
