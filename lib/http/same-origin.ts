import { Problem } from './problem';

/** Where this server is, as the browser sees it. `configured` (AUTH_URL) is believed; else the request's own host. */
export interface OwnPlace {
  readonly configured: string | undefined;
}

/**
 * A cookie is sent along by whatever page makes the request, so a change that is
 * authenticated by one must come from our own pages. A browser says so in `Origin` or
 * `Sec-Fetch-Site`, and no page can set either; a request with neither is refused.
 * @throws Problem `cross_origin`
 */
export function requireSameOrigin(headers: Headers, place: OwnPlace): void {
  const origin = headers.get('origin');
  const same = origin === null ? headers.get('sec-fetch-site') === 'same-origin' : isOwn(origin, headers, place);
  if (!same) throw new Problem('cross_origin');
}

function isOwn(origin: string, headers: Headers, { configured }: OwnPlace): boolean {
  if (!URL.canParse(origin)) return false; // `null`, say
  if (configured !== undefined && new URL(configured).origin === origin) return true;
  const site = headers.get('sec-fetch-site');
  return new URL(origin).host === headers.get('host') && (site === null || site === 'same-origin');
}
