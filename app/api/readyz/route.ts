import { json } from '@/lib/http/answer';
import { methods } from '@/lib/http/methods';
import { publicRoute } from '@/lib/http/public-route';
import { webSystem } from '@/lib/http/web-system';
import { databaseFacts } from '@/lib/queries/database-facts';

export const dynamic = 'force-dynamic';

/** The database answers and has all migrations: opening the system applies those that are missing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: publicRoute(async () => json(200, { status: 'ready', ...(await databaseFacts((await webSystem()).store)) })),
});
