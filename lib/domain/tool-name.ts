/** Names of the tools the harness itself looks at (contract.md §7). */
export const RUN_COMMAND = 'run_command';

/** Whether a call counts under `effects.commands` rather than `effects.external`. */
export const isCommand = (name: string): boolean => name === RUN_COMMAND;
