import type { RunSettings } from '@/lib/domain/run/settings';
import { isBlank } from '@/lib/domain/visible';
import type { System } from '@/lib/system';
import { usageError } from '../cli-error';
import { limitsFrom } from './limits';
import type { RunFlags } from './run-flags';

/**
 * What a run is submitted with. Nothing is limited that nobody limited.
 * @throws CliError (usage) for settings that could not be kept as they are.
 */
export function runSettings(flags: RunFlags, model: string): RunSettings {
  return {
    model,
    access: flags.readOnly === true ? 'read_only' : 'read_write',
    policy: flags.policy ?? 'auto',
    unsandboxed: flags.unsandboxed === true,
    verifier: verifierText(flags) ?? null,
    limits: limitsFrom(flags),
    resumable: flags.saveHistory === true,
  };
}

/** @throws CliError (usage) */
export function verifierText({ verifier }: Pick<RunFlags, 'verifier'>): string | undefined {
  if (verifier !== undefined && (isBlank(verifier) || verifier.includes('\0'))) throw usageError('--verifier is empty or not a command');
  return verifier;
}

/**
 * What only the opened system can tell of the settings.
 * @throws CliError (usage)
 */
export function checkAgainstSystem(settings: RunSettings, system: Pick<System, 'intake' | 'price'>): void {
  checkPrice(settings, system);
  // What is stored is redacted, and a redacted command would be another one.
  if (settings.verifier !== null && system.intake(settings.verifier) !== settings.verifier) {
    throw usageError('--verifier holds something that looks like a secret', 'Put the command into a script of the repository and name the script.');
  }
}

export function checkPrice(settings: Pick<RunSettings, 'limits' | 'model'>, system: Pick<System, 'price'>): void {
  if (settings.limits.cost_micro_usd === null || system.price(settings.model) !== null) return;
  throw usageError(
    `price_unknown: --max-cost-usd needs the price of ${settings.model}, and it is not known`,
    'Name a file with it in PILOTHOUSE_PRICES, or limit tokens with --max-tokens.',
  );
}
