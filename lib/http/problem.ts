/**
 * Errors as RFC 9457 problems. One table: a stable `code`, its status, its title. The
 * meaning is the code; title and detail are for people and may change.
 */
import type { JsonValue } from '@/lib/domain/json';
import type { CommandErrorCode } from '@/lib/system/failure';

interface Row {
  readonly status: number;
  readonly title: string;
}

const OF_COMMANDS: Readonly<Record<CommandErrorCode, Row>> = {
  not_found: { status: 404, title: 'There is no such thing here' },
  invalid: { status: 400, title: 'The request cannot be carried out as it is' },
  forbidden: { status: 403, title: 'Your role does not allow this' },
  command_reused: { status: 409, title: 'The command id was used with other input' },
  run_ended: { status: 409, title: 'The run has ended' },
  run_live: { status: 409, title: 'A run of the session is live' },
  not_open: { status: 409, title: 'The turn is closed' },
  not_latest: { status: 409, title: 'A later generation exists' },
  unreconciled: { status: 409, title: 'Calls with an unknown outcome wait for a statement' },
  history_deleted: { status: 409, title: 'The history of the session was not kept' },
  last_admin: { status: 409, title: 'A project needs an admin' },
  already_member: { status: 409, title: 'This person is a member already' },
};

const OF_HTTP = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  too_deep: { status: 400, title: 'The body is nested too deeply' },
  malformed_address: { status: 400, title: 'The address cannot be read' },
  invalid_id: { status: 400, title: 'This is not an id' },
  invalid_cursor: { status: 400, title: 'No page gave this cursor' },
  invalid_command_id: { status: 400, title: 'The Idempotency-Key is not valid' },
  not_available: { status: 400, title: 'This is not available yet' },
  price_unknown: { status: 400, title: 'The price of the model is not known' },
  unauthenticated: { status: 401, title: 'Sign in, or send a token' },
  cross_origin: { status: 403, title: 'The request comes from another site' },
  no_project: { status: 403, title: 'You are not a member of any project' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  too_many_attempts: { status: 429, title: 'Too many attempts' },
  internal: { status: 500, title: 'Something went wrong here' },
  database_unavailable: { status: 503, title: 'The database cannot be reached' },
  storage_full: { status: 507, title: 'There is no room left' },
} as const satisfies Readonly<Record<string, Row>>;

export type ProblemCode = CommandErrorCode | keyof typeof OF_HTTP;
const TABLE: Readonly<Record<ProblemCode, Row>> = { ...OF_COMMANDS, ...OF_HTTP };

export const statusOf = (code: ProblemCode): number => TABLE[code].status;

/** What stands wrong at one place of a request: `/budget/usd`. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

export interface ProblemMembers {
  /** One sentence about this occurrence. */
  readonly detail?: string;
  /** The state that stands against a command. */
  readonly current?: Readonly<Record<string, JsonValue>>;
  readonly errors?: readonly FieldError[];
  /** Names this occurrence in the operator's log. */
  readonly instance?: string;
}

/** Thrown within a route; the kit answers with it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  constructor(
    readonly code: ProblemCode,
    readonly members: ProblemMembers = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(members.detail ?? TABLE[code].title);
  }
}

export function problemResponse({ code, members, headers }: Pick<Problem, 'code' | 'members' | 'headers'>): Response {
  const { status, title } = TABLE[code];
  return new Response(JSON.stringify({ type: 'about:blank', title, status, code, ...members }), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}
