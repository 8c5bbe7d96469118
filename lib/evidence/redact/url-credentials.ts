import { URL_CHARS } from './char-class';
import { isPlaceholder } from './secret-value';
import type { Source } from './source';
import type { Trigger } from './triggers';

export const urlTriggers: readonly Trigger[] = [
  { word: '://', exact: true, always: true, read: urlCredentials },
  { word: '_authToken=', exact: true, read: npmrcToken },
];

const LONGEST = 1_024;

/**
 * scheme://user:password@host loses the password, scheme://token@host the token,
 * when it looks like one. What says where the address leads stays. A password
 * with an unescaped slash or question mark is common enough to be looked for.
 */
function urlCredentials(source: Source, _start: number, end: number): void {
  const until = Math.min(source.run(URL_CHARS, end), end + LONGEST);
  const rest = source.text.slice(end, until);
  if (rest.startsWith('[redacted:')) return;
  const path = rest.search(/[/?#]/);
  let at = (path === -1 ? rest : rest.slice(0, path)).lastIndexOf('@');
  const colon = rest.indexOf(':');
  if (at === -1) {
    if (path === -1 || colon === -1 || colon > path || /^\d*$/.test(rest.slice(colon + 1, path))) return;
    const first = rest.indexOf('@', path);
    if (first === -1) return;
    const host = rest.slice(first).search(/[/?#]/);
    at = rest.lastIndexOf('@', host === -1 ? rest.length : first + host);
  }
  if (colon !== -1 && colon < at) {
    const password = rest.slice(colon + 1, at);
    // A password that is the user's name is a default that everybody knows.
    if (!isPlaceholder(password) && password !== rest.slice(0, colon)) source.found(end + colon + 1, end + at, 'url-password');
  } else if (at >= 20 && /\d/.test(rest.slice(0, at)) && /^[\w~+=-]+$/.test(rest.slice(0, at))) {
    source.found(end, end + at, 'url-token');
  }
}

/** The line that every .npmrc has: //registry/:_authToken=value. */
function npmrcToken(source: Source, _start: number, end: number): void {
  const until = source.run(URL_CHARS, end);
  if (!isPlaceholder(source.text.slice(end, until))) source.found(end, until, 'token', URL_CHARS);
}
