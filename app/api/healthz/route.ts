import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { publicRoute } from '@/lib/http/public-route';

export const dynamic = 'force-dynamic';

/** The process answers; whether it can do its work is asked at `/api/readyz`. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: publicRoute(async () => json(200, { status: 'ok' })),
});
