/** The report that answers a plain-text delivery with what the record has against it (domain.md §8). */
import type { Objection } from '@/lib/domain/delivery';

const SAYS: { readonly [C in Objection['code']]: (objection: Extract<Objection, { code: C }>) => string } = {
  no_edit_succeeded: ({ attempted }) =>
    `${attempted} edit${attempted === 1 ? ' was' : 's were'} attempted in this turn and none succeeded; the workspace is as it was at the beginning.`,
  effect_unknown: ({ call_ids }) =>
    `The outcome of ${call_ids.length === 1 ? 'a call' : `${call_ids.length} calls`} with an effect is unknown: ${call_ids.join(', ')}.`,
  child_not_succeeded: ({ task_ids }) => `A delegated task came back without success and nothing was done since: ${task_ids.join(', ')}.`,
  plan_open: ({ items }) => `${items.length === 1 ? 'A plan item is' : `${items.length} plan items are`} open: ${items.join('; ')}.`,
  last_effect_failed: ({ name, outcome }) => `The last call with an effect, ${name}, ${outcome === 'denied' ? 'was denied' : 'failed'}.`,
};

const say = <C extends Objection['code']>(objection: Extract<Objection, { code: C }> & { code: C }): string =>
  SAYS[objection.code](objection);

export function deliveryReport(objections: readonly Objection[]): string {
  return [
    'Progress report. You answered in plain text, which would end the task, but the record shows:',
    ...objections.map((objection) => `- ${say(objection)}`),
    '',
    'The ways on:',
    '- go on with the work, with another approach where this one was refused;',
    '- `complete_step` with `success: true` and evidence (`summary`, `files_changed`) when the task is done all the same, or with `success: false` when it cannot be done;',
    '- `report_blocker` when you need a decision, an authority or a change outside.',
    'If you answer in plain text again, the task ends with what the record shows.',
  ].join('\n');
}
