/**
 * Where to go after signing in: a path of this site, else `/`. `//host` and `/\host`
 * are addresses of other sites to a browser, and it drops tabs and line ends first.
 */
export function safeCallbackUrl(given: unknown): string {
  if (typeof given !== 'string' || given.length > 2_000) return '/';
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given) ? given : '/';
}
