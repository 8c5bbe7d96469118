/** How much a name says about the value behind it. */
export interface SecretName {
  /** `strong`: any value is secret. `weak`: only one that looks like nothing else. */
  readonly strength: 'strong' | 'weak';
  readonly kind: string;
}

const PASSWORD = 'password';
const SECRET = 'secret';
const TOKEN = 'token';
const KEY = 'api-key';

/** What the last word of a name makes of it. "max_tokens" ends in none of these, "token_url" neither. */
const NOUNS: Readonly<Record<string, SecretName>> = {
  password: { strength: 'strong', kind: PASSWORD },
  passwd: { strength: 'strong', kind: PASSWORD },
  passphrase: { strength: 'strong', kind: PASSWORD },
  passcode: { strength: 'strong', kind: PASSWORD },
  pass: { strength: 'weak', kind: PASSWORD },
  pwd: { strength: 'weak', kind: PASSWORD },
  passwords: { strength: 'weak', kind: PASSWORD },
  secret: { strength: 'strong', kind: SECRET },
  secrets: { strength: 'weak', kind: SECRET },
  credential: { strength: 'weak', kind: SECRET },
  credentials: { strength: 'weak', kind: SECRET },
  mnemonic: { strength: 'strong', kind: SECRET },
  otp: { strength: 'weak', kind: SECRET },
  token: { strength: 'weak', kind: TOKEN },
  pat: { strength: 'weak', kind: TOKEN },
  jwt: { strength: 'weak', kind: TOKEN },
  auth: { strength: 'weak', kind: TOKEN },
  sid: { strength: 'weak', kind: TOKEN },
  apikey: { strength: 'strong', kind: KEY },
  apikeys: { strength: 'weak', kind: KEY },
  密码: { strength: 'strong', kind: PASSWORD },
  口令: { strength: 'strong', kind: PASSWORD },
  密钥: { strength: 'strong', kind: SECRET },
  令牌: { strength: 'weak', kind: TOKEN },
};

/** Nouns that are also written as the end of one longer word: "dbpassword", "secretkey". */
const FUSED = ['password', 'passwd', 'passphrase', 'apikey', 'clientsecret'] as const;
const FUSED_KEYS: Readonly<Record<string, SecretName>> = {
  secretkey: { strength: 'strong', kind: KEY },
  accesskey: { strength: 'strong', kind: KEY },
  privatekey: { strength: 'strong', kind: KEY },
  authkey: { strength: 'strong', kind: KEY },
  authtoken: { strength: 'strong', kind: TOKEN },
  accesstoken: { strength: 'strong', kind: TOKEN },
  refreshtoken: { strength: 'strong', kind: TOKEN },
};

/** A key is secret by what it opens: a "primary", "cache" or "public" key opens nothing. */
const SECRET_KEYS = new Set(
  (
    'api secret private encryption decryption signing master access auth license webhook service shared ' +
    'symmetric hmac jwt account storage subscription deploy admin crypt cipher aes'
  ).split(' '),
);

/** A token is a credential by what it is for … */
const SECRET_TOKENS = new Set(
  'access refresh auth api bearer id session lease secret bot personal private deploy registry security csrf xsrf'.split(' '),
);

/** … and is none when it is a position, a piece of a language or of a design. */
const PLAIN_TOKENS = new Set(
  (
    'page next continuation continue sync cursor eos bos pad unk mask sep cls stop special cancel cancellation ' +
    'design color syntax max min num total per first last start end begin unexpected prompt completion'
  ).split(' '),
);

/** "hasPassword", "reset_password": a question or an action, unless the value looks like a secret. */
const ACTIONS = new Set('is has show hide forgot reset require requires required use no invalid wrong missing enter change update toggle with'.split(' '));

/** Words after the noun that leave the meaning as it is: API_KEY_PROD, password2, secret_value. */
const QUALIFIERS = new Set(
  'value val raw plain plaintext b64 base64 hex prod production dev development staging live test old new current previous confirm confirmation encoded'.split(' '),
);

const known = new Map<string, SecretName | undefined>();
const REMEMBERED = 2_000;

/** What a field, variable, header or flag of this name holds; `undefined` when nothing secret. */
export function secretName(name: string): SecretName | undefined {
  if (known.has(name)) return known.get(name);
  if (known.size >= REMEMBERED) known.clear();
  const verdict = judge(words(name));
  known.set(name, verdict);
  return verdict;
}

function judge(parts: readonly string[]): SecretName | undefined {
  let end = parts.length;
  while (end > 1 && (QUALIFIERS.has(parts[end - 1] ?? '') || /^\d+$/.test(parts[end - 1] ?? ''))) end -= 1;
  const noun = (parts[end - 1] ?? '').replace(/\d+$/, '');
  const before = parts[end - 2];
  const verdict = byNoun(noun, before);
  if (verdict === undefined || verdict.strength === 'weak') return verdict;
  return end > 1 && ACTIONS.has(parts[0] ?? '') ? { ...verdict, strength: 'weak' } : verdict;
}

function byNoun(noun: string, before: string | undefined): SecretName | undefined {
  if (noun === 'key' || noun === 'keys') {
    if (before === undefined || !SECRET_KEYS.has(before)) return undefined;
    return { strength: noun === 'key' ? 'strong' : 'weak', kind: KEY };
  }
  if (noun === 'token' && before !== undefined) {
    if (PLAIN_TOKENS.has(before)) return undefined;
    if (SECRET_TOKENS.has(before)) return { strength: 'strong', kind: TOKEN };
  }
  const exact = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined;
  if (exact !== undefined) return exact;
  for (const fused of FUSED) if (noun.endsWith(fused)) return NOUNS[fused];
  for (const [fused, verdict] of Object.entries(FUSED_KEYS)) if (noun.endsWith(fused)) return verdict;
  return undefined;
}

/**
 * snake_case, kebab-case, dotted.names and camelCase as lower-case words. By hand,
 * because every name in a large file passes here and a regular expression a word
 * costs more than all the rest.
 */
function words(name: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (let index = 0; index <= name.length; index += 1) {
    const separator = index === name.length || !isWordCode(name.charCodeAt(index));
    if (!separator && !(index > start && isHump(name, index))) continue;
    if (index > start) found.push(name.slice(start, index).toLowerCase());
    start = separator ? index + 1 : index;
  }
  return found;
}

function isWordCode(code: number): boolean {
  return isUpper(code) || isLower(code) || isDigit(code) || code > 127;
}

/** Does a word begin here: the K of apiKey, the K of APIKey? */
function isHump(name: string, index: number): boolean {
  if (!isUpper(name.charCodeAt(index))) return false;
  const before = name.charCodeAt(index - 1);
  return isLower(before) || isDigit(before) || (isUpper(before) && isLower(name.charCodeAt(index + 1)));
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
