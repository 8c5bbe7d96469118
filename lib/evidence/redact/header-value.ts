import { isOpaque, isPlaceholder, isReference } from './secret-value';

/** A secret part of a value, by its place in the value. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

const SCHEME = /^(?:basic|bearer|token|digest|negotiate|apikey|api-key|bot|key|hawk|aws4-hmac-sha256)[ \t]+/i;
/** Schemes whose credentials are a list, all of which is taken. */
const LISTS = /^(?:digest|hawk|aws4)/i;

/** The credentials of an Authorization value; the scheme stays, it helps and tells nothing. */
export function authorizationSpan(value: string): readonly Piece[] {
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length);
  const credentials = LISTS.test(scheme) ? rest : (/^[^\s,;]*/.exec(rest)?.[0] ?? '');
  if (isPlaceholder(credentials) || isReference(credentials) || (scheme === '' && /[([{]/.test(credentials))) return [];
  // "Authorization: bearer authentication is required" is a sentence.
  const alone = rest.length === credentials.length || /^[\s,;)}\]]*$/.test(rest.slice(credentials.length));
  if (!isOpaque(credentials, 6) && !LISTS.test(scheme) && !(alone && credentials.length >= (scheme === '' ? 16 : 8) && !/^[a-z-]+$/.test(credentials))) return [];
  return [{ start: scheme.length, end: scheme.length + credentials.length, kind: 'authorization' }];
}

const SESSION_COOKIE = /sess|sid$|token|auth|jwt|csrf|xsrf|remember|secret|key|login|user|id$/i;

/** The values of those cookies that let someone in; a theme or a language may be read. */
export function cookieSpans(value: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const pair of value.split(';')) {
    const equals = pair.indexOf('=');
    const content = pair.slice(equals + 1).trimEnd();
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const secret = SESSION_COOKIE.test(name) ? content.length >= 6 : isOpaque(content, 20);
    if (equals > 0 && secret && !isPlaceholder(content) && !/^(?:path|domain|expires|max-age|samesite)$/i.test(name)) {
      pieces.push({ start: start + equals + 1, end: start + equals + 1 + content.length, kind: 'cookie' });
    }
    start += pair.length + 1;
  }
  return pieces;
}
