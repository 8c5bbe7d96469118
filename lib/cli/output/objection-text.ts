import type { Objection } from '@/lib/domain/delivery';
import { plural } from './amounts';
import { oneLine } from './terminal-text';

type Texts = { readonly [C in Objection['code']]: (objection: Extract<Objection, { code: C }>) => string };

const TEXTS: Texts = {
  no_edit_succeeded: ({ attempted }) => `${plural(attempted, 'edit was', 'edits were')} attempted and none succeeded; the workspace is as it was`,
  effect_unknown: ({ call_ids }) => `the outcome of ${plural(call_ids.length, 'call')} is unknown: ${call_ids.join(', ')}`,
  child_not_succeeded: ({ task_ids }) => `${plural(task_ids.length, 'sub-agent')} did not succeed: ${task_ids.join(', ')}`,
  plan_open: ({ items }) => `${plural(items.length, 'plan item is', 'plan items are')} open: ${oneLine(items.join('; '), 160)}`,
  last_effect_failed: ({ name, outcome }) => `the last call with an effect, ${oneLine(name, 60)}, ${outcome === 'denied' ? 'was denied' : 'failed'}`,
};

/** What the record has against an answer, in words. */
export function objectionText(objection: Objection): string {
  const text = TEXTS[objection.code] as (objection: Objection) => string;
  return `${text(objection)} (${objection.severity})`;
}
