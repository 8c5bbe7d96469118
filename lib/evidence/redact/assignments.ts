import { BARE, BLANK, DOTTED, ENV_VALUE, HEADER_VALUE, SPACE, XML_TEXT, type CharClass } from './char-class';
import { authorizationSpan, cookieSpans, type Piece } from './header-value';
import { longestValue, readQuoted, type Quoted } from './quoted';
import { secretName, type SecretName } from './secret-name';
import { isJoinedWords, isOpaque, isPlaceholder, isProse, isReference } from './secret-value';
import type { Source } from './source';
import type { Trigger } from './triggers';

/**
 * Values that are secret because of the name before them: assignments, fields of
 * JSON and YAML, headers, query parameters, flags. First the whole name is read
 * and what joins it to a value; only then is the name judged, and last the value.
 */
const WORDS = ['pass', 'pwd', 'secret', 'token', 'key', 'auth', 'credential', 'cookie', 'sid', 'otp', 'jwt', '_pat', 'mnemonic'];
const CJK_WORDS = ['密码', '口令', '密钥', '令牌'];

export const assignmentTriggers: readonly Trigger[] = [...WORDS, ...CJK_WORDS].map((word) => ({
  word,
  exact: false,
  read: readName,
}));

const LONGEST_NAME = 80;

/** How the name and its value are joined; it decides how sure the value must look. */
type Join = 'equals' | 'colon' | 'comma' | 'compare' | 'space' | 'element';

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Written with dashes before it, on a command line. */
  readonly flag: boolean;
}

function readName(source: Source, start: number, end: number): void {
  // One name may hold several of the words.
  if (start < source.named) return;
  // A Chinese name stands in the middle of other characters, not at the end of a word.
  let from = source.text.charCodeAt(start) > 127 ? start : source.runBack(DOTTED, start, LONGEST_NAME);
  const until = source.run(DOTTED, end);
  source.named = until;
  if (until - from > LONGEST_NAME) return;
  source.candidate = from;
  // A marker's kind is no name.
  if (source.text.startsWith('[redacted:', from - 10)) return;
  const dashed = from;
  while (source.text.charAt(from) === '-') from += 1;
  if (from < start && 'nrtbf'.includes(source.text.charAt(from)) && source.text.charAt(from - 1) === '\\') from += 1;

  const afterQuote = skipQuote(source, until);
  const afterBracket = afterQuote + (source.char(afterQuote) === ']' ? 1 : 0);
  const name: Name = {
    text: source.text.slice(from, until),
    start: from,
    end: until,
    quoted: afterQuote > until,
    flag: from - dashed >= 2,
  };
  readJoin(source, name, afterBracket);
}

/** Past a closing quote, with the backslashes that a string in a string puts before it. */
function skipQuote(source: Source, at: number): number {
  let index = at;
  while (source.char(index) === '\\' && index - at < 16) index += 1;
  return isQuote(source.char(index)) ? index + 1 : at;
}

function readJoin(source: Source, name: Name, at: number): void {
  const gap = source.run(BLANK, at);
  const char = source.char(gap);
  const following = source.char(gap + 1);
  if (char === '=') {
    const comparison = following === '=';
    const length = comparison ? (source.char(gap + 2) === '=' ? 3 : 2) : following === '>' ? 2 : 1;
    readValue(source, name, comparison ? 'compare' : 'equals', gap + length, gap === name.end);
  } else if (char === ':' || char === '：') {
    if (following === ':') return;
    readValue(source, name, following === '=' ? 'equals' : 'colon', gap + (following === '=' ? 2 : 1), false);
  } else if (char === '?' && following === ':') readValue(source, name, 'colon', gap + 2, false);
  else if (char === '>' && '<:'.includes(source.text.charAt(name.start - 1) || ' ')) readElement(source, name, gap + 1);
  else if (char === ',' && name.quoted) readAfterComma(source, name, gap + 1);
  else if (gap > at && !name.quoted) readAfterSpace(source, name, gap);
}

function readElement(source: Source, name: Name, at: number): void {
  const verdict = secretName(name.text);
  const end = source.run(XML_TEXT, at);
  if (verdict === undefined || source.char(end) !== '<' || source.char(end + 1) !== '/') return;
  if (isSecretString(source.text.slice(at, end), verdict, 'element')) source.found(at, end, verdict.kind, XML_TEXT);
}

/** `define('PASSWORD', 'value')`, and `"name": "PASSWORD", "value": "value"`. */
function readAfterComma(source: Source, name: Name, at: number): void {
  let index = source.run(SPACE, at);
  const quote = skipQuote(source, index);
  if (quote > index && source.at('value', quote)) {
    const colon = source.run(BLANK, skipQuote(source, quote + 5));
    if (source.char(colon) !== ':') return;
    index = source.run(BLANK, colon + 1);
    readValue(source, name, 'colon', index, false);
  } else if (quote > index) readValue(source, name, 'comma', index, false);
}

/** A flag's value, the password of a .netrc line, or SQL's PASSWORD 'value'. */
function readAfterSpace(source: Source, name: Name, at: number): void {
  const netrc = name.text === 'password' && /\blogin[ \t]+\S+[ \t]+$/.test(source.text.slice(Math.max(0, name.start - 160), name.start));
  if (name.flag || netrc || isQuote(source.char(at))) readValue(source, name, 'space', at, false);
}

function readValue(source: Source, name: Name, join: Join, at: number, tight: boolean): void {
  const from = source.run(BLANK, at);
  if (isHeader(name.text)) {
    readHeader(source, name, join, from);
    return;
  }
  const verdict = secretName(name.text);
  if (verdict === undefined) return;

  const quoted = readQuoted(source, from);
  if (quoted !== undefined) {
    readString(source, name, verdict, join, quoted);
    return;
  }
  if (join === 'comma' || join === 'compare') return;
  // NAME=value without spaces is an environment line: all of it is the value.
  const environment = tight && join === 'equals' && from === at && /^[A-Z][A-Z0-9_]*$/.test(name.text);
  // PWD and OLDPWD are the shell's directories, however random their names are.
  if (environment && /^(OLD)?PWD$/.test(name.text) && source.char(from) === '/') return;
  if (environment) readEnvironment(source, verdict, from);
  else readBare(source, name, verdict, join, from);
}

function readString(source: Source, name: Name, verdict: SecretName, join: Join, quoted: Quoted): void {
  const value = source.text.slice(quoted.from, quoted.to);
  if (!isSecretString(value, verdict, join)) return;
  // What was taken for an opening quote may have been a closing one.
  if (quoted.ended === 'line' && !isOpaque(/^\S*/.exec(value)?.[0] ?? '', 6)) return;
  // In a program, unlike in data, a short plain word is a fixture.
  if (!name.quoted && /^[a-z]{1,5}$/.test(value)) return;
  if (sameWord(name.text, value)) return;
  const end = quoted.ended === 'bound' ? source.run(HEADER_VALUE, quoted.to) : quoted.to;
  source.found(quoted.from, end, verdict.kind, HEADER_VALUE);
}

/** `accesskey: "accessKey"`: a table of names. */
function sameWord(name: string, value: string): boolean {
  return value.length < 40 && name.toLowerCase().replace(/[^a-z0-9]/g, '') === value.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function readEnvironment(source: Source, verdict: SecretName, from: number): void {
  const end = source.run(ENV_VALUE, from);
  const value = source.text.slice(from, end);
  if (isPlaceholder(value)) return;
  if (verdict.strength === 'strong' ? value.length >= 4 : isOpaque(value, 6) && !isJoinedWords(value)) take(source, from, end, verdict, ENV_VALUE);
}

function readBare(source: Source, name: Name, verdict: SecretName, join: Join, from: number): void {
  const end = source.run(BARE, from);
  const value = source.text.slice(from, end);
  if (isPlaceholder(value)) {
    // `password: str = "value"`: what stood here was the type.
    if (join !== 'colon' || value === '') return;
    const equals = source.run(BLANK, end);
    if (source.char(equals) !== '=' || source.char(equals + 1) === '=') return;
    const quoted = readQuoted(source, source.run(BLANK, equals + 1));
    if (quoted !== undefined) readString(source, name, verdict, 'equals', quoted);
    return;
  }
  if (value.startsWith('-') && join === 'space') return;
  // A call or an element of something: code that fetches the secret.
  if (isReference(value) || '(['.includes(source.char(end) || ' ')) return;
  const number = verdict.strength === 'strong' && verdict.kind === 'password' && /^\d{6,}$/.test(value);
  if (number || isLikely(value, verdict)) take(source, from, end, verdict, BARE);
}

function isLikely(value: string, verdict: SecretName): boolean {
  return verdict.strength === 'strong' ? isOpaque(value, 6) : isOpaque(value, 8) && !isJoinedWords(value);
}

function take(source: Source, from: number, end: number, verdict: SecretName, tail: CharClass): void {
  source.found(from, end, verdict.kind, tail);
}

function readHeader(source: Source, name: Name, join: Join, from: number): void {
  // A header's line may name a header again; its value has been judged by then.
  if (from < source.headed) return;
  const quoted = readQuoted(source, from);
  if (join === 'compare' || (quoted === undefined && join === 'comma')) return;
  const to = quoted?.to ?? Math.min(source.run(HEADER_VALUE, from), from + longestValue(source));
  const start = quoted?.from ?? from;
  source.headed = to;
  for (const piece of headerPieces(name.text, source.text.slice(start, to))) {
    source.found(start + piece.start, start + piece.end, piece.kind, HEADER_VALUE);
  }
}

/** Headers whose value is a list, of which a part is secret. */
function isHeader(name: string): boolean {
  return /(?:authorization|cookies?)$/i.test(name);
}

function headerPieces(name: string, value: string): readonly Piece[] {
  return /authorization$/i.test(name) ? authorizationSpan(value) : cookieSpans(value);
}

/** The secret pieces of a whole string that stands under a name, as in a JSON object. */
export function secretPieces(name: string, value: string): readonly Piece[] {
  if (name.length > LONGEST_NAME) return [];
  if (isHeader(name)) return headerPieces(name, value);
  const verdict = secretName(name);
  if (verdict === undefined || !isSecretString(value, verdict, 'colon')) return [];
  return [{ start: 0, end: value.length, kind: verdict.kind }];
}

function isSecretString(value: string, verdict: SecretName, join: Join): boolean {
  if (isPlaceholder(value) || isProse(value)) return false;
  const loose = join === 'comma' || join === 'compare' || join === 'space';
  if (verdict.strength === 'strong' && !loose) return true;
  return isOpaque(value, 8) && !isJoinedWords(value) && !isReference(value);
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === '`';
}
