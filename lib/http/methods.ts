import { problemResponse } from './problem';
import type { RouteHandler } from './route';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/**
 * The handlers of a path: those given, and for every other method 405 with what is
 * allowed. To be exported whole, since a web framework answers absent ones in its own way:
 *
 *     export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: route(…) });
 */
export function methods(given: Partial<Record<Method, RouteHandler>>): Record<Method, RouteHandler> {
  const allow = METHODS.filter((method) => given[method] !== undefined).join(', ');
  const refuse: RouteHandler = async () => problemResponse({ code: 'method_not_allowed', members: {}, headers: { allow } });
  return Object.fromEntries(METHODS.map((method) => [method, given[method] ?? refuse])) as Record<Method, RouteHandler>;
}
