/** Which model answers the runs of this call: a script, or a model at an endpoint. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Configuration } from '@/lib/config/environment';
import { usageError } from '../cli-error';

export interface ModelFlags {
  readonly model?: string;
  readonly baseUrl?: string;
}

export interface ModelChoice {
  /** As it stands in the run's settings, so that a resume means the same one. */
  readonly name: string;
  readonly baseUrl?: string;
}

const SCRIPT_PREFIX = 'scripted:';

const HOW_TO_CONFIGURE =
  'Set OPENAI_API_KEY and PILOTHOUSE_MODEL (and OPENAI_BASE_URL for another OpenAI-compatible endpoint), or try "exec --sample", which needs none.';

export const scriptedModelName = (file: string): string => `${SCRIPT_PREFIX}${file}`;
export const isScripted = (model: string): boolean => model.startsWith(SCRIPT_PREFIX);

/**
 * @param here the directory of the call.
 * @throws CliError (usage) when nothing says which model is meant.
 */
export function chooseModel(flags: ModelFlags, configured: Configuration['model'], here: string): ModelChoice {
  const name = flags.model ?? configured.name;
  if (flags.model?.trim() === '') throw usageError('--model is empty');
  if (name !== undefined && isScripted(name)) return chooseScript(name, flags, here);
  if (flags.baseUrl === undefined && configured.baseUrl === undefined && configured.apiKey === undefined) {
    throw usageError('no model is configured', HOW_TO_CONFIGURE);
  }
  if (name === undefined) throw usageError('no model is named', 'Give --model NAME, or set PILOTHOUSE_MODEL.');
  return { name, ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }) };
}

function chooseScript(name: string, flags: ModelFlags, here: string): ModelChoice {
  const given = name.slice(SCRIPT_PREFIX.length);
  if (given === '') throw usageError('--model scripted: names no file', 'Give the script: --model scripted:FILE');
  if (flags.baseUrl !== undefined) throw usageError('--base-url and a scripted model exclude each other');
  const file = path.resolve(here, given);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw usageError(`the script ${file} cannot be read`);
  }
  return { name: scriptedModelName(file) };
}
