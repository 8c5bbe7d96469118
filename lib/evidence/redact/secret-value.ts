/**
 * What must survive although a secret name stands before it: references,
 * placeholders, types and words. An agent that reads code sees far more of these
 * than of secrets, and cannot work on a file in which they are gone.
 */

/** Words that stand where a value could and are none. */
const WORDS = new Set(
  (
    'string number boolean bool int integer bytes text varchar str object any unknown never void char ' +
    'null nil none undefined true false yes no on off ' +
    'required optional invalid missing expired incorrect wrong empty unset set hidden encrypted redacted masked ' +
    'password passwd secret token key apikey api_key api-key value default inherit example placeholder dummy ' +
    'pass pwd pw postgres guest test user changeme change-me todo tbd basic bearer'
  ).split(' '),
);

const PATTERNS: readonly RegExp[] = [
  /^\[redacted:/, // what is redacted already
  /^\$[A-Za-z_{([0-9@#*?!]/, // $NAME ${NAME} $(command) $1
  /^[A-Za-z]?\{\{?[^"']*\}?$/, // {name} {{ template }}
  /^%[A-Za-z_]+%$|^%\(?[a-z]/, // %NAME% %s %(name)s
  /^<[^<>]{0,80}>?$/, // <your token>, and the special tokens of a tokenizer
  /^([*xX.•#?_-])\1+$/, // ******** xxxxxxxx
  /^(?:your|insert|enter|replace|put|add)[-_ ]/i,
  /(?:^|[-_ ])(?:example|placeholder|goes[-_ ]here|changeme)$/i,
  /^(?:process\.env|import\.meta|os\.environ|os\.getenv|env|secrets?|vault|config|settings|vars?)[.[(]/,
  /^(?:some|my|your|the|user|db)[-_]?(?:pass(?:word)?|pwd|secret|token|key)$/i,
  /^-----BEGIN/, // a key block, which has its own rule; a certificate has none
  /^0x[0-9a-f]+$/i,
  /^[A-Z]+(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|PAT)$/, // the name of a variable
  /^[~.]{0,2}(?:\/[a-z0-9_.-]{1,24})+\/?$/, // a path
  /^[a-z]{3,4}_[0-9A-HJKMNP-TV-Z]{26}$/i, // an id of a run, a session …
  /^(?:https?:\/\/[^\s@?]*)$/, // an address without user or query
];

/** Does the value name, describe or stand in for a secret, rather than being one? */
export function isPlaceholder(value: string): boolean {
  if (value === '') return true;
  if (value.length > 200) return value.startsWith('[redacted:');
  if (WORDS.has(value.toLowerCase())) return true;
  return PATTERNS.some((pattern) => pattern.test(value));
}

/** A label or message ("Enter your password", "Token is required") that speaks of the secret. */
export function isProse(value: string): boolean {
  if (value.length > 300 || !value.includes(' ') || !/^[A-Z][A-Za-z' ,()-]*[.!?:…]*$/.test(value)) return false;
  return /\b(?:password|passphrase|passcode|secret|token|key|credentials?|your|please|enter|must|required|invalid|field|cannot)\b/i.test(value);
}

/** Could only a machine, or someone who wants it unguessable, have written this? */
export function isOpaque(value: string, min: number): boolean {
  if (value.length < min) return false;
  const head = value.length > 96 ? value.slice(0, 96) : value;
  if (/\s/.test(head)) return false;
  return /\d/.test(head) && /[^\d.,:_-]/.test(head);
}

/** `scram-sha-256`, `build-linux-x64`: words joined by dashes, as options and ids are named. */
export function isJoinedWords(value: string): boolean {
  return value.length <= 60 && /^[a-z]+(?:[-_][a-z0-9]{1,8})+$/.test(value);
}

/** `user.token2`, `users[0].password`, `ArrowToken$1`: a place or a name in a program, each part an ordinary word. */
export function isReference(value: string): boolean {
  if (value.length > 120 || /[\w$]{40,}/.test(value)) return false;
  if (/^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*|\[\d+\])+$/.test(value)) return !/[\w$]{24,}/.test(value);
  return /^[A-Za-z_$][A-Za-z]*[a-z0-9](?:Token|Password|Secret|Key|Authorization)(?:\$\d+)?$/.test(value);
}
