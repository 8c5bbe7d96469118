/** In UTC, as logs and the API have it: `2026-05-14 09:31:07 UTC`. */
export const exactTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/** `09:31:07`, where the day is said elsewhere. */
export const clockTime = (at: string): string => at.slice(11, 19);
