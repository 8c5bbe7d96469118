import { byteLength } from '@/lib/domain/clean';
import { isBlank } from '@/lib/domain/visible';
import { usageError } from '../cli-error';

const MOST_BYTES = 1_048_576;

/**
 * What a person says to an agent: a task, an answer.
 * @throws CliError (usage) when it says nothing, or cannot be kept as it is.
 */
export function messageText(text: string | undefined, what: 'task' | 'message'): string {
  if (text === undefined) throw usageError(`the ${what} is missing`, `Give it as one argument, in quotes: "…"`);
  if (isBlank(text)) throw usageError(`the ${what} is empty`);
  if (text.includes('\0')) throw usageError(`the ${what} contains a NUL character`);
  const bytes = byteLength(text);
  if (bytes > MOST_BYTES) throw usageError(`the ${what} has ${bytes} bytes; at most ${MOST_BYTES} are taken`);
  return text;
}
