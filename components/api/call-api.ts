/** The browser's way to `/api/v1`: the same door, and the same rules, as for everybody else. */

/** RFC 9457, as the API answers errors. */
export interface ApiProblem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly current?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
}

export type ApiResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: ApiProblem };

interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** One id for one intent: sent again after a lost answer, it is carried out once. */
  readonly commandId?: string;
  readonly signal?: AbortSignal;
}

const UNREACHABLE: ApiProblem = { status: 0, code: 'unreachable', title: 'Pilothouse cannot be reached', detail: 'Nothing was lost; try again.' };

/** Never rejects, but for an abort. @typeParam T what the API promises for this path. */
export async function callApi<T>(path: string, { method = 'GET', body, commandId, signal }: ApiCall = {}): Promise<ApiResult<T>> {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(commandId === undefined ? {} : { 'idempotency-key': commandId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.ok) return { ok: true, value: (response.status === 204 ? undefined : await response.json()) as T };
    return { ok: false, problem: await problemOf(response) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { ok: false, problem: UNREACHABLE };
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const fallback = { status: response.status, code: 'unexpected', title: `The server answered ${response.status}` };
  try {
    return { ...fallback, ...((await response.json()) as Partial<ApiProblem>) };
  } catch {
    return fallback;
  }
}

/** A fresh id for one intent. `randomUUID` exists on https and localhost only, so it is not relied on. */
export function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `web-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
