/**
 * Failure classes of a model request. Meaning is carried by class and code,
 * never read from a message's text (architecture.md §6).
 */
export const PROVIDER_FAILURE_CLASSES = [
  'auth', // 401, 403
  'quota', // 402, insufficient_quota
  'rate', // 429
  'overload', // 500, 502, 503, 504, 529
  'context_length',
  'content_filter',
  'bad_request', // other 4xx
  'connection', // refused, reset, cut socket
  'timeout', // idle limit
  'incomplete', // ended without terminal evidence
  'malformed', // not the announced format: HTML, broken JSON
  'provider_error', // an error object inside a 200
  'empty_response', // nothing visible (domain.md §10)
  'aborted', // by us: cancel, stop
  'script', // the scripted model met a request it has no entry for
] as const;
export type ProviderFailureClass = (typeof PROVIDER_FAILURE_CLASSES)[number];

export interface ProviderFailure {
  readonly class: ProviderFailureClass;
  /** Stable and machine-readable: the provider's own code where it sent one, else the class. */
  readonly code: string;
  /** Redacted and bounded by the caller; for people. */
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly httpStatus?: number;
  readonly providerRequestId?: string;
}
