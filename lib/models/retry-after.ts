/**
 * How long the provider asks to wait, in milliseconds, or undefined when it does
 * not say. `retry-after-ms` is the finer one and goes first; `retry-after` is a
 * number of seconds or an HTTP date, which is relative to `nowMs`.
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const milliseconds = amount(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const value = headers.get('retry-after');
  const seconds = amount(value);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  // Only the forms with a weekday's letters: Date.parse takes almost anything, a bare "-5" included.
  const dateMs = value !== null && /^[a-z]/i.test(value.trim()) ? Date.parse(value) : Number.NaN;
  return Number.isFinite(dateMs) ? Math.max(0, dateMs - nowMs) : undefined;
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}(\.\d{1,12})?$/.test(text.trim()) ? Number(text) : undefined;
}
