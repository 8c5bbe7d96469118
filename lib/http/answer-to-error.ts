import { randomUUID } from 'node:crypto';
import { failureOf } from '@/lib/system/failure';
import { Problem, problemResponse } from './problem';

const UNEXPECTED_SECONDS = '2';

/** What whoever asked is told of an error. What nobody foresaw is told by an opaque id, which the log explains. */
export function answerTo(error: unknown, request: Pick<Request, 'method' | 'url'>): Response {
  if (error instanceof Problem) return problemResponse(error);
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'command': {
      const current = Object.keys(failure.current).length > 0 ? { current: failure.current } : {};
      return problemResponse({ code: failure.code, members: { detail: failure.message, ...current }, headers: {} });
    }
    case 'database_unavailable':
      return problemResponse({ code: 'database_unavailable', members: {}, headers: { 'retry-after': UNEXPECTED_SECONDS } });
    case 'storage_full':
      return problemResponse({ code: 'storage_full', members: {}, headers: {} });
    case 'unexpected': {
      const instance = `urn:uuid:${randomUUID()}`;
      // The path only: a query may hold what somebody searched for.
      const entry = { level: 'error', name: 'http', instance, method: request.method, path: pathOf(request.url), error: failure.description };
      process.stderr.write(`${JSON.stringify(entry)}\n`);
      return problemResponse({ code: 'internal', members: { instance }, headers: {} });
    }
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');
