import type { JsonValue } from '@/lib/domain/json';

/** The argument that says most about a call; the first text where none of the known names is there. */
const NAMES = ['command', 'path', 'pattern', 'goal', 'summary', 'task_id'];

export function mainArgument(value: JsonValue | undefined): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = value as Readonly<Record<string, JsonValue>>;
  for (const name of NAMES) {
    const argument = given[name];
    if (typeof argument === 'string' && argument.trim() !== '') return argument;
  }
  const items = given['items'];
  if (Array.isArray(items)) return `${items.length} items`;
  return Object.values(given).find((argument): argument is string => typeof argument === 'string') ?? null;
}
