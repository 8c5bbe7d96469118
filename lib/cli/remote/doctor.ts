/** `doctor` with a control plane elsewhere: whether it answers, and whom it takes this call for. */
import type { Shell } from '../shell';
import { showFindings, type DoctorFlags } from '../verbs/doctor';
import { checkNode } from '../verbs/doctor-checks';
import type { Finding } from '../verbs/doctor-report';
import { meAnswer, readyAnswer } from './answers';
import type { ControlPlane } from './control-plane';
import { ControlPlaneError } from './control-plane-error';

export async function remoteDoctor(shell: Shell, plane: ControlPlane, flags: DoctorFlags): Promise<number> {
  const reach = await finding('control plane', async () => {
    await plane.ask({ method: 'GET', path: '/api/readyz', schema: readyAnswer });
    return `${plane.url} is ready`;
  });
  const token = async (): Promise<Finding> =>
    finding('token', async () => {
      const { value } = await plane.ask({ method: 'GET', path: '/api/v1/me', schema: meAnswer });
      return `is valid: ${value.name ?? 'somebody without a name'}, ${value.role} in ${value.project}`;
    });
  return showFindings(shell, [checkNode(process.version), reach, ...(reach.state === 'ok' ? [await token()] : [])], flags);
}

async function finding(name: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { name, state: 'ok', detail: await look() };
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    return { name, state: 'missing', detail: error.message, ...(error.hint === undefined ? {} : { advice: error.hint }) };
  }
}
