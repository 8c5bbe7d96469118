/** Bounds of the tools. All in bytes unless the name says otherwise. */
export const MAX_READ_OUTPUT = 64 * 1024;
export const MAX_FILE_SIZE = 10 * 1024 * 1024;
export const MAX_WRITE_SIZE = 1024 * 1024;
export const MAX_COMMAND_OUTPUT = 64 * 1024;
export const MAX_DIFF = 32 * 1024;
export const MAX_VERIFIER_OUTPUT = 16 * 1024;

export const MAX_SEARCH_MS = 10_000;
export const MAX_DIFF_MS = 300;

/** Entries that one listing or search walks past before it says that it stopped. */
export const MAX_WALKED_ENTRIES = 50_000;

export const DEFAULT_COMMAND_SECONDS = 120;
export const MAX_COMMAND_SECONDS = 600;
