import { ALNUM, BASE64, BASE64URL, BEARER, BLANK, DIGIT, DOTTED, HEX, inClass, URL_CHARS } from './char-class';
import type { Source } from './source';
import { isPlaceholder } from './secret-value';
import { startsToken } from './token-shapes';
import type { Trigger } from './triggers';

/**
 * Secrets that have no prefix but a mark in the middle or a word before them.
 * Each reader looks back only a bounded way and forward only along runs.
 */
export const anchoredTriggers: readonly Trigger[] = [
  { word: 'eyJ', exact: true, read: jwt },
  { word: ':AA', exact: true, read: telegramToken },
  { word: '-us', exact: true, read: mailchimpKey },
  { word: '.atlasv1.', exact: true, read: terraformToken },
  { word: 'Q~', exact: true, read: azureClientSecret },
  { word: 'hooks.slack.com/', exact: false, read: slackWebhook },
  { word: '/api/webhooks/', exact: true, read: discordWebhook },
  { word: '?sig=', exact: true, read: signatureParameter },
  { word: '&sig=', exact: true, read: signatureParameter },
  { word: 'X-Amz-Signature=', exact: false, read: signatureParameter },
  { word: 'bearer ', exact: false, read: bearer },
  { word: 'basic ', exact: false, read: basic },
  { word: 'sshpass', exact: true, read: sshpass },
  { word: ' -u', exact: true, read: curlUser },
  { word: '"d"', exact: true, read: jwkPrivatePart },
  { word: '\\"d\\"', exact: true, read: jwkPrivatePart },
];

/** header.payload.signature, each base64url; the signature may be empty or cut off. */
function jwt(source: Source, start: number): void {
  if (!startsToken(source, start, false)) return;
  const header = source.run(BASE64URL, start);
  if (header - start < 12 || source.char(header) !== '.') return;
  const payload = source.run(BASE64URL, header + 1);
  if (payload - header < 12) return;
  const end = source.char(payload) === '.' ? source.run(BASE64URL, payload + 1) : payload;
  // An encrypted token has five parts.
  source.found(start, source.char(end) === '.' ? source.run(DOTTED, end) : end, 'jwt', DOTTED);
}

function telegramToken(source: Source, start: number): void {
  const from = source.runBack(DIGIT, start, 12);
  const end = source.run(BASE64URL, start + 1);
  if (start - from >= 8 && end - start > 33) source.found(from, end, 'telegram-token', BASE64URL);
}

function mailchimpKey(source: Source, start: number, end: number): void {
  const from = source.runBack(HEX, start, 33);
  const until = source.run(DIGIT, end);
  if (start - from === 32 && until > end && until - end <= 3) source.found(from, until, 'mailchimp-key');
}

function terraformToken(source: Source, start: number, end: number): void {
  const from = source.runBack(ALNUM, start, 20);
  const until = source.run(BASE64URL, end);
  if (start - from >= 10 && until - end >= 40) source.found(from, until, 'terraform-token', BASE64URL);
}

function azureClientSecret(source: Source, start: number, end: number): void {
  if (start < 4 || !inClass(DIGIT, source.code(start - 1))) return;
  const until = source.run(BEARER, end);
  if (until - end >= 30) source.found(source.runBack(DOTTED, start, 4), until, 'azure-secret', BEARER);
}

/** Only the path is secret, and of it only the last part; the rest says what was called. */
function slackWebhook(source: Source, _start: number, end: number): void {
  const until = source.run(URL_CHARS, end);
  const last = source.text.lastIndexOf('/', until - 1) + 1;
  if (last > end && until - last >= 16) source.found(last, until, 'slack-webhook', URL_CHARS);
}

function discordWebhook(source: Source, _start: number, end: number): void {
  const id = source.run(DIGIT, end);
  if (id - end < 15 || source.char(id) !== '/') return;
  const until = source.run(BASE64URL, id + 1);
  if (until - id > 30) source.found(id + 1, until, 'discord-webhook', BASE64URL);
}

function signatureParameter(source: Source, _start: number, end: number): void {
  const until = source.run(BEARER, end);
  if (until - end >= 20) source.found(end, until, 'signature', BEARER);
}

/** A bearer token outside its header; the words "bearer authentication" are none. */
function bearer(source: Source, start: number, end: number): void {
  if (!startsToken(source, start, false)) return;
  const from = source.run(BLANK, end);
  const until = source.run(BEARER, from);
  if (until - from < 16 || !/\d/.test(source.text.slice(from, Math.min(until, from + 256)))) return;
  source.found(from, until, 'authorization', BEARER);
}

function basic(source: Source, start: number, end: number): void {
  if (!startsToken(source, start, false)) return;
  const until = source.run(BASE64, end);
  if (until - end < 8) return;
  const decoded = Buffer.from(source.text.slice(end, Math.min(until, end + 512)), 'base64').toString('latin1');
  if (/^[\x20-\x7e]*:[\x20-\x7e]*$/.test(decoded)) source.found(end, until, 'authorization', BASE64);
}

function sshpass(source: Source, _start: number, end: number): void {
  const flag = source.run(BLANK, end);
  if (flag === end || !source.at('-p', flag)) return;
  let from = source.run(BLANK, flag + 2);
  const quote = source.char(from);
  if (quote === '"' || quote === "'") from += 1;
  const until = source.run(URL_CHARS, from);
  if (!isPlaceholder(source.text.slice(from, until))) source.found(from, until, 'password', URL_CHARS);
}

/** `curl -u name:password`; another program's -u is a user, not a secret. */
function curlUser(source: Source, start: number, end: number): void {
  const before = source.text.slice(Math.max(0, start - 160), start);
  if (!/\bcurl\b[^\n]*$/.test(before)) return;
  let from = source.run(BLANK, end);
  const quote = source.char(from);
  if (quote === '"' || quote === "'") from += 1;
  const until = source.run(URL_CHARS, from);
  const colon = source.text.slice(from, Math.min(until, from + 256)).indexOf(':');
  if (colon === -1) return;
  const secret = from + colon + 1;
  if (!isPlaceholder(source.text.slice(secret, until))) source.found(secret, until, 'password', URL_CHARS);
}

/** The private part of a JSON web key, long enough to be no path of a drawing. */
function jwkPrivatePart(source: Source, _start: number, end: number): void {
  const colon = source.run(BLANK, end);
  if (source.char(colon) !== ':') return;
  let from = source.run(BLANK, colon + 1);
  while (source.char(from) === '\\') from += 1;
  if (source.char(from) !== '"') return;
  const until = source.run(BASE64URL, from + 1);
  const after = source.char(until);
  if (until - from > 40 && (after === '"' || after === '\\')) source.found(from + 1, until, 'private-key', BASE64URL);
}
