/**
 * Names of models. `scripted` is the built-in scripted model with the sample's script,
 * `scripted:FILE` replays another; any other name is the provider's own.
 */
export const SCRIPTED = 'scripted';
const PREFIX = `${SCRIPTED}:`;

/** The file that a scripted model replays, which may be the empty text; null where the name means no file. */
export const scriptOf = (model: string): string | null => (model.startsWith(PREFIX) ? model.slice(PREFIX.length) : null);

export const scriptedBy = (file: string): string => `${PREFIX}${file}`;

export const isScripted = (model: string): boolean => model === SCRIPTED || scriptOf(model) !== null;
