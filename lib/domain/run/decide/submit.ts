/** The beginning of a run: there is no state yet. */
import type { InputOf } from '../input';
import { event, happened, type Decision } from './decision';

export function decideSubmit(input: InputOf<'submit'>): Decision {
  return happened(
    event('command.accepted', { command_id: input.commandId, kind: input.kind, actor: input.actor }),
    event('run.queued', input.first),
    ...(input.message === undefined
      ? []
      : [event('message.appended', { task_id: input.first.task_id, origin: input.message.origin, text: input.message.text })]),
  );
}
