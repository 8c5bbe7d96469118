/**
 * The way of a request: authenticate → authorise → parse → call → serialise. A route
 * declares what it needs and calls one function.
 */
import type { z } from 'zod';
import { auditDenial } from '@/lib/auth/audit-denial';
import { actorOf, type Principal } from '@/lib/auth/principal';
import type { Actor } from '@/lib/domain/actor';
import { cleanText } from '@/lib/domain/clean';
import { includesRole, type Role } from '@/lib/domain/role';
import type { System } from '@/lib/system';
import { answerTo } from './answer-to-error';
import { authenticateRequest } from './authenticate-request';
import { commandIdOf } from './command-id';
import { parseWith } from './parse';
import { Problem } from './problem';
import { readBody } from './read-body';
import { requireSameOrigin } from './same-origin';
import { webSystem } from './web-system';

export interface Call<P, Q, B> {
  readonly system: System;
  readonly principal: Principal;
  /** The principal, as events and audit entries name it. */
  readonly actor: Actor;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The `Idempotency-Key`, or a fresh id. */
  readonly commandId: string;
  readonly request: Request;
}

export interface RouteSpec<P, Q, B> {
  /** The weakest role that may call it. */
  readonly permission: Role;
  /** Of the path; what does not parse is 400 `invalid_id`. */
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  /** Without it a body is neither read nor wanted. */
  readonly body?: z.ZodType<B>;
}

export interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>;
}
export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

/**
 * A route handler. What the handler throws becomes a problem: `Problem` as it is,
 * a command's refusal by its code, a database that is away 503, anything else 500 with
 * an opaque id.
 */
export function route<P = undefined, Q = undefined, B = undefined>(
  spec: RouteSpec<P, Q, B>,
  handler: (call: Call<P, Q, B>) => Promise<Response>,
  open: () => Promise<System> = webSystem,
): RouteHandler {
  return async (request, context) => {
    try {
      const system = await open();
      const principal = await authenticateRequest(system, request.headers);
      if (principal.via === 'session' && changesState(request)) {
        requireSameOrigin(request.headers, { configured: system.configuration.auth.url });
      }
      if (!includesRole(principal.role, spec.permission)) {
        await auditDenial(system, principal, `${request.method} ${new URL(request.url).pathname}`);
        throw new Problem('forbidden', { detail: `This needs the role ${spec.permission}; yours is ${principal.role}.` });
      }
      const params = spec.params === undefined ? undefined : parseWith(spec.params, await context.params, 'invalid_id');
      const query = spec.query === undefined ? undefined : parseWith(spec.query, queryOf(request));
      const commandId = commandIdOf(request.headers, () => system.commands.newId('cmd'));
      const body = spec.body === undefined ? undefined : parseWith(spec.body, await readBody(request));
      // Each part is undefined exactly where its schema is absent and its type therefore is.
      return await handler({ system, principal, actor: actorOf(principal), commandId, request, params: params as P, query: query as Q, body: body as B });
    } catch (error) {
      return answerTo(error, request);
    }
  };
}

const changesState = (request: Request): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method);

/** The first value of each name, without what no store accepts. */
function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(request.url).searchParams) query[name] ??= cleanText(value).text;
  return query;
}
