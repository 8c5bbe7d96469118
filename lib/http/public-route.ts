import { answerTo } from './answer-to-error';
import type { RouteHandler } from './route';

/** A route that answers anybody: it says nothing that only some may know. */
export function publicRoute(handler: (request: Request) => Promise<Response>): RouteHandler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      return answerTo(error, request);
    }
  };
}
