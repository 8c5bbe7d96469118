/** Which model answers the runs of this call: a script, or a model at an endpoint. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Configuration } from '@/lib/config/environment';
import { scriptedBy, scriptOf } from '@/lib/domain/model-name';
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

const HOW_TO_CONFIGURE =
  'Set OPENAI_API_KEY and PILOTHOUSE_MODEL (and OPENAI_BASE_URL for another OpenAI-compatible endpoint), or try "exec --sample", which needs none.';

/**
 * @param here the directory of the call.
 * @throws CliError (usage) when nothing says which model is meant.
 */
export function chooseModel(flags: ModelFlags, configured: Configuration['model'], here: string): ModelChoice {
  const name = flags.model ?? configured.name;
  if (flags.model?.trim() === '') throw usageError('--model is empty');
  const script = name === undefined ? null : scriptOf(name);
  if (script !== null) return chooseScript(script, flags, here);
  if (flags.baseUrl === undefined && configured.baseUrl === undefined && configured.apiKey === undefined) {
    throw usageError('no model is configured', HOW_TO_CONFIGURE);
  }
  if (name === undefined) throw usageError('no model is named', 'Give --model NAME, or set PILOTHOUSE_MODEL.');
  return { name, ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }) };
}

function chooseScript(given: string, flags: ModelFlags, here: string): ModelChoice {
  if (given === '') throw usageError('--model scripted: names no file', 'Give the script: --model scripted:FILE');
  if (flags.baseUrl !== undefined) throw usageError('--base-url and a scripted model exclude each other');
  const file = path.resolve(here, given);
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw usageError(`the script ${file} cannot be read`);
  }
  return { name: scriptedBy(file) };
}
