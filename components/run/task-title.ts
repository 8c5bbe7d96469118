/** The first line of a task that says something, for headings, lists and titles. */
export function taskTitle(task: string): string {
  const line = task.split('\n').find((each) => each.trim() !== '') ?? task;
  return line.trim().slice(0, 200);
}
