/** After a cut answer (`finish_reason: length`): the text is kept, no call of it ran (domain.md §10). */
export function truncationReport(): string {
  return [
    'Progress report. Your last answer was cut at the length limit. Its text is kept; no tool call of it was run.',
    'Go on from where it stopped, in smaller parts: one tool call at a time, and long files in several edits.',
  ].join('\n');
}
