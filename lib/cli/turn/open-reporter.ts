import { jsonReporter } from '../output/json-reporter';
import { plainReporter } from '../output/plain-reporter';
import type { Reporter } from '../output/reporter';
import type { Shell } from '../shell';

export const openReporter = (shell: Shell, flags: { readonly json?: boolean }): Reporter =>
  flags.json === true ? jsonReporter(shell.out) : plainReporter(shell);
