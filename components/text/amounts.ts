/** Numbers as people read them, the same on the server and in every browser. */

/** 12345 → `12,345`. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 edit`, `2 edits`. */
export const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;

/** `980`, `12.4k`, `3.1M`: where the exact figure stands elsewhere. */
export function short(value: number): string {
  if (value < 10_000) return count(value);
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 99_950 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(value < 99_950_000 ? 1 : 0)}M`;
}

/** `350 ms`, `2.4 s`, `3 min 05 s`, `2 h 04 min`, `3 d 4 h`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return elapsed(milliseconds);
}

/** As `duration`, in whole seconds: for a clock that runs. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${two(minutes % 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`, `in 5 min`. */
export function relative(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / 60_000);
  if (minutes < 1) return milliseconds < 0 ? 'in a moment' : 'just now';
  const amount = minutes < 60 ? `${minutes} min` : minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1_440)} d`;
  return milliseconds < 0 ? `in ${amount}` : `${amount} ago`;
}

/** `$0.0123`: four digits below a dollar, six where four would read as nothing. */
export function usd(microUsd: number): string {
  const digits = microUsd === 0 || microUsd >= 1_000_000 ? 2 : microUsd < 100 ? 6 : 4;
  const [whole = '0', fraction = ''] = (microUsd / 1e6).toFixed(digits).split('.');
  return `$${count(Number(whole))}.${fraction}`;
}

/** `1,204 in` of which 40 % cached; null where there is nothing to divide. */
export const share = (part: number, whole: number): string | null => (whole === 0 ? null : `${Math.round((part / whole) * 100)} %`);
