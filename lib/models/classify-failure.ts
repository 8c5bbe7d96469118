/**
 * From what an endpoint said to a failure class. The provider's code goes before
 * the HTTP status, since the same 429 can mean "later" and "never, pay first";
 * the message is for people and decides nothing, with one stated exception.
 */
import type { ProviderFailure, ProviderFailureClass } from '@/lib/domain/failure';
import type { ErrorReport } from './read-error';

/** Whether the same request may succeed when it is sent again as it is. */
export const RETRYABLE: Readonly<Record<ProviderFailureClass, boolean>> = {
  auth: false,
  quota: false,
  rate: true,
  overload: true,
  context_length: false,
  content_filter: false,
  bad_request: false,
  connection: true,
  timeout: true,
  incomplete: true,
  // A gateway's error page under a 200 comes and goes as its 502 does.
  malformed: true,
  provider_error: true,
  empty_response: true,
  aborted: false,
  script: false,
};

export const MAX_MESSAGE_LENGTH = 2_000;

/** A failure of `class`, with the class's own word as code and its retryability unless told otherwise. */
export function failureOf(
  failureClass: ProviderFailureClass,
  message: string,
  more: Partial<Omit<ProviderFailure, 'class' | 'message'>> = {},
): ProviderFailure {
  return {
    code: failureClass,
    retryable: RETRYABLE[failureClass],
    ...more,
    class: failureClass,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
  };
}

/** Words of providers for each class, compared without case, `_`, `-` and spaces. */
const CLASS_BY_CODE: ReadonlyMap<string, ProviderFailureClass> = new Map(
  Object.entries({
    auth: 'invalid_api_key authentication_error invalid_authentication invalid_authentication_error unauthorized unauthenticated access_denied permission_denied permission_error account_deactivated token_expired',
    quota:
      'insufficient_quota insufficient_balance insufficient_credits exceeded_current_quota_error billing_error billing_not_active billing_hard_limit_reached payment_required arrearage quota_exceeded',
    rate: 'rate_limit_exceeded rate_limit_error rate_limit_reached_error rate_limit_reached too_many_requests resource_exhausted throttling',
    overload:
      'server_error internal_error internal_server_error api_error overloaded overloaded_error engine_overloaded_error server_overloaded service_unavailable service_unavailable_error unavailable bad_gateway insufficient_system_resource',
    timeout: 'timeout timeout_error request_timeout gateway_timeout deadline_exceeded',
    context_length:
      'context_length_exceeded context_window_exceeded exceed_context_size_error model_max_prompt_tokens_exceeded',
    content_filter:
      'content_filter content_policy_violation responsible_ai_policy_violation data_inspection_failed moderation_blocked',
    // The model wrote a call that its own endpoint refused: another attempt may write a right one.
    provider_error: 'tool_use_failed',
  } satisfies Partial<Record<ProviderFailureClass, string>>).flatMap(([failureClass, words]) =>
    words.split(' ').map((word) => [comparable(word), failureClass as ProviderFailureClass] as const),
  ),
);

function comparable(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** @param httpStatus of the response; inside a 200 the status that the error itself names, if any. */
export function classOf(report: ErrorReport, httpStatus: number | undefined): ProviderFailureClass {
  // Some report a request too large for the limit per minute as 413 with the code of a rate limit: waiting never helps.
  if (httpStatus === 413) return 'context_length';
  for (const code of report.codes) {
    const known = CLASS_BY_CODE.get(comparable(code));
    if (known !== undefined) return known;
  }
  const byStatus = classOfStatus(httpStatus ?? report.status);
  if (byStatus === 'bad_request' && mentionsContextLength(report.message)) return 'context_length';
  if (byStatus !== undefined) return byStatus;
  return report.codes.some((code) => comparable(code).startsWith('invalidrequest')) ? 'bad_request' : 'provider_error';
}

function classOfStatus(status: number | undefined): ProviderFailureClass | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate';
  return status >= 500 ? 'overload' : 'bad_request';
}

/**
 * The exception: DeepSeek and vLLM refuse an over-long conversation with a bare 400
 * and say why only in prose, in the words that OpenAI coined. Without it a long run
 * on them could not be told that compaction would help.
 */
function mentionsContextLength(message: string | undefined): boolean {
  return message?.includes('maximum context length') ?? false;
}
