import { problemResponse } from '@/lib/http/problem';

export const dynamic = 'force-dynamic';

const refuse = (): Response => problemResponse({ code: 'malformed_address', members: {}, headers: {} });

/** Where requests are led whose path cannot be read (lib/http/watch-incoming.ts). */
export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as OPTIONS, refuse as PATCH, refuse as POST, refuse as PUT };
