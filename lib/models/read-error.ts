/**
 * What an endpoint says about an error, in whichever of the common shapes:
 * `{error: {message, type, code}}`, `{error: "text"}`, `{object: "error", message}`,
 * `{code, message}`, `{detail}`, or a list of one of these.
 */
import { fieldsOf, isPresent, listOf, textOf } from './json-fields';

export interface ErrorReport {
  readonly message: string | undefined;
  /** The provider's own words, most specific first: inner code, code, type, status. */
  readonly codes: readonly string[];
  /** An HTTP status that the body itself names: `status_code`, or a numeric code. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** The error that a 200's chunk, event or body carries, or null. `null`, `false` and `""` are none. */
export function findError(value: unknown): ErrorReport | null {
  const body = fieldsOf(value);
  if (body === null) return null;
  const error = body['error'] ?? fieldsOf(body['x_groq'])?.['error'];
  const announced = body['object'] === 'error' || body['type'] === 'error';
  if (!isPresent(error) || error === false || error === '') return announced ? readError(body) : null;
  return readError(body);
}

/** A body that is known to be an error, since its status or its event said so. */
export function readError(value: unknown): ErrorReport {
  const body = fieldsOf(value) ?? fieldsOf(listOf(value)[0]);
  if (body === null) return { message: textOf(value), codes: [], status: undefined, requestId: undefined };
  const named = body['error'] ?? fieldsOf(body['x_groq'])?.['error'];
  const error = fieldsOf(named) ?? body;
  const words = [
    fieldsOf(error['innererror'])?.['code'],
    error['code'],
    error['type'] === 'error' ? undefined : error['type'],
    error['status'],
  ];
  return {
    message:
      textOf(error['message']) ?? textOf(named) ?? textOf(body['message']) ?? textOf(body['detail']) ?? undefined,
    codes: words.flatMap(wordOf),
    status: [error['status_code'], error['code'], error['status']].map(statusOf).find((status) => status !== undefined),
    requestId: textOf(error['request_id']) ?? textOf(body['request_id']) ?? textOf(body['id']),
  };
}

function wordOf(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)];
  const text = textOf(value);
  return text === undefined ? [] : [text.slice(0, 200)];
}

function statusOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 400 && number < 600 ? number : undefined;
}
