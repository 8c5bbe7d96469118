/** How long to wait before a transport failure is tried again (domain.md §10): doubling, jittered, `Retry-After` respected. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A provider that asks for more than this is not waited for: the run pauses, where a person can see it. */
export const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * @param retryAfterMs what the provider asked for; 0 where it asked for nothing.
 * @param attempt failed attempts so far, from 1.
 * @param random in [0, 1): jitter over the upper half, so that many runs do not return in step.
 */
export function retryDelayMs(retryAfterMs: number, attempt: number, random: number): number {
  const backoff = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  const jittered = backoff / 2 + (backoff / 2) * random;
  return Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
}
