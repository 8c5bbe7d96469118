import { CommandError } from '@/lib/commands/command-error';
import { CliError } from '../cli-error';
import { EXIT } from '../exit-code';
import { refusal } from '../explain-failure';

/** A command that starts something: when it is refused nothing was started, and the call was wrong (64). */
export async function asUsage<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof CommandError) throw new CliError(refusal(error), EXIT.usage);
    throw error;
  }
}
