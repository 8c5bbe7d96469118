import { revealed } from '@/lib/domain/reveal';

/** The first line of a task that says something, for headings, lists and titles. */
export function taskTitle(task: string): string {
  const line = task.split('\n').find((each) => each.trim() !== '') ?? task;
  return line.trim().slice(0, 200);
}

/** The same where there is only plain text: titles of pages and tabs. */
export const plainTitle = (task: string): string => revealed(taskTitle(task), 'prose');
