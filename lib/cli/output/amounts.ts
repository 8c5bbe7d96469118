/** Numbers as people read them. Pure; no locale, so that a log reads the same everywhere. */

/** 12345 → `12,345`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 edit`, `2 edits`. */
export const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** `350 ms`, `2.4 s`, `3 min 5 s`, `2 h 4 min`, `3 d`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

/** How long ago: `12 s`, `5 min`, `3 h`, `2 d`. */
export function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** `$0.0123`: four digits, more where it would read as nothing. */
export function usd(microUsd: number): string {
  const digits = microUsd !== 0 && microUsd < 100 ? 6 : 4;
  return `$${(microUsd / 1e6).toFixed(digits)}`;
}
