import type { RunId } from '@/lib/domain/id';
import { runSettingsSchema, type RunSettings } from '@/lib/domain/run/settings';
import { eventsAnswer } from './answers';
import type { ControlPlane } from './control-plane';

/** They stand at the beginning of a log. */
const FIRST = 20;

/** What a run was submitted with; null where its log does not say so in a form that is known here. */
export async function settingsThere(plane: ControlPlane, run: RunId): Promise<RunSettings | null> {
  const { value } = await plane.ask({ method: 'GET', path: `/api/v1/runs/${run}/events?limit=${FIRST}`, schema: eventsAnswer });
  for (const { type, payload } of value.items) {
    if (type !== 'run.queued' || typeof payload !== 'object' || payload === null || !('settings' in payload)) continue;
    return runSettingsSchema.safeParse(payload.settings).data ?? null;
  }
  return null;
}
