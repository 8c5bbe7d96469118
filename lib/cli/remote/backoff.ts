const FIRST_MS = 100;
const MOST_MS = 5_000;

/** How long to wait after so many failures in a row; a little different for each, so that not all come back at once. */
export const backoff = (failures: number): number => Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures, 10)) * (0.75 + Math.random() / 2);
