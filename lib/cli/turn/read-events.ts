import type { RunId } from '@/lib/domain/id';
import type { RunEvent } from '@/lib/domain/run/event';
import type { RunSettings } from '@/lib/domain/run/settings';
import { listEvents } from '@/lib/queries/list-events';
import type { System } from '@/lib/system';

const PAGE = 500;

/** Stored events of a run above `after`, all there are now, page by page. */
export async function* storedEvents(system: System, runId: RunId, after: number): AsyncGenerator<readonly RunEvent[]> {
  for (let seen = after; ; ) {
    const page = await listEvents(system.store, { projectId: system.projectId, runId, after: seen, limit: PAGE });
    if (page.length > 0) yield page;
    seen = page.at(-1)?.seq ?? seen;
    if (page.length < PAGE) return;
  }
}

/** What the run was submitted with; null where there is no such run. */
export async function settingsOf(system: System, runId: RunId): Promise<RunSettings | null> {
  for await (const page of storedEvents(system, runId, 0)) {
    for (const event of page) {
      if (event.type === 'run.queued' && 'settings' in event.payload) return event.payload.settings;
    }
  }
  return null;
}
