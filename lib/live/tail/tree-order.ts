import type { TreeEvent } from '@/lib/store/read-tree';
import { isTerminalEvent } from '../log-end';

/**
 * The order across runs (domain.md §3): each log by its seq, all of them by time, and
 * within a millisecond a parent before its child begins and a child's end before its
 * parent hears of it.
 */
export function treeOrder(events: readonly TreeEvent[]): TreeEvent[] {
  const result: TreeEvent[] = [];
  for (let from = 0; from < events.length; ) {
    const at = events[from]?.event.timestamp;
    let to = from;
    while (events[to]?.event.timestamp === at) to += 1;
    result.push(...simultaneous(events.slice(from, to)));
    from = to;
  }
  return result;
}

/** Without a last moment that the page may have cut; nothing is lost, it is read again. */
export function wholeMoments(events: readonly TreeEvent[], limit: number): readonly TreeEvent[] {
  if (events.length < limit) return events;
  const last = events.at(-1)?.event.timestamp;
  const whole = events.filter(({ event }) => event.timestamp !== last);
  return whole.length > 0 ? whole : events;
}

function simultaneous(events: readonly TreeEvent[]): TreeEvent[] {
  const logs = new Map<string, TreeEvent[]>();
  for (const one of events) logs.set(one.runId, [...(logs.get(one.runId) ?? []), one]);
  const result: TreeEvent[] = [];
  while (logs.size > 0) {
    const heads = [...logs.values()].flatMap(([head]) => (head === undefined ? [] : [head]));
    const [first] = heads.sort((a, b) => rank(a) - rank(b));
    if (first === undefined) break;
    result.push(first);
    const rest = (logs.get(first.runId) ?? []).slice(1);
    if (rest.length > 0) logs.set(first.runId, rest);
    else logs.delete(first.runId);
  }
  return result;
}

/** What closes comes after what opens, from below upwards. */
const DEEPEST = 1_000;
const rank = ({ depth, event: { type } }: TreeEvent): number =>
  type === 'task.ended' || type === 'session.completed' || isTerminalEvent(type) ? 2 * DEEPEST - depth : depth;
