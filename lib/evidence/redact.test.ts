// Longer than other files: it is the list of what must go and what must stay, a line or two each.
import { describe, expect, it } from 'vitest';
import { cleanText } from '../domain/clean';
import type { JsonValue } from '../domain/json';
import { containsRedactionMarker, createRedactor } from './redact';
import { TOKEN_SHAPES } from './redact/token-shapes';

const redactor = createRedactor({ known: [] });

/** Characters that look random and are the same in every run. */
function noise(length: number, alphabet: string, seed = 7): string {
  let state = seed;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length] ?? '';
  }
  return text;
}
const HEX = '0123456789abcdef';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALNUM = `${LETTERS}0123456789`;
const OPAQUE = noise(24, ALNUM);

const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${[1, 2, 3].map((seed) => noise(64, ALNUM, seed)).join('\n')}\n-----END RSA PRIVATE KEY-----`;
const JWT = `eyJ${noise(20, ALNUM, 2)}.eyJ${noise(30, ALNUM, 3)}.${noise(43, ALNUM, 4)}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** [what, text, the part that must go] */
const SECRETS: readonly (readonly [string, string, string])[] = [
  ['a JSON web token', `tok ${JWT} ok`, JWT],
  ['a JSON web token without signature', `tok ${JWT.slice(0, JWT.lastIndexOf('.'))}.`, JWT.slice(0, 40)],
  ['a key block', `before\n${PEM}\nafter`, noise(64, ALNUM, 2)],
  ['a key block on one line', `KEY="${PEM.replace(/\n/g, '\\n')}"`, noise(64, ALNUM, 3)],
  ['a key block inside a quoted variable', `PRIVATE_KEY="${PEM}"`, noise(64, ALNUM, 2)],
  ['a key block that was cut off', PEM.slice(0, 150), noise(64, ALNUM, 1)],
  ['an indented key block', PEM.replace(/^/gm, '    '), noise(64, ALNUM, 2)],
  ['a key block in a diff', PEM.replace(/^/gm, '+'), noise(64, ALNUM, 2)],
  ['a key block in JSON in JSON', JSON.stringify(JSON.stringify({ k: PEM })), noise(64, ALNUM, 2)],
  ['a URL password', `psql postgres://app:${OPAQUE}@db.internal/app`, OPAQUE],
  ['a URL password with a slash and an at sign', `redis://app:a/b@${OPAQUE}@cache:6379/0`, OPAQUE],
  ['a token as a URL user', `git clone https://${noise(40, HEX)}@example.com/o/r.git`, noise(40, HEX)],
  ['a URL inside a value that ends early', `auth=https://u:p;${OPAQUE}@h/`, OPAQUE],
  ['an .npmrc line', `//registry.example.com/:_authToken=${OPAQUE}`, OPAQUE],
  ['a bearer header', `Authorization: Bearer ${OPAQUE}`, OPAQUE],
  ['a header in a shell command', `curl -H "Authorization: Token ${OPAQUE}" https://x`, OPAQUE],
  ['a header set by a call', `request.setHeader('Authorization', 'Bearer ${OPAQUE}')`, OPAQUE],
  ['basic credentials', `Authorization: Basic ${base64('user:correct')}`, base64('user:correct')],
  ['basic credentials without their header', `header was Basic ${base64('user:correct')}`, base64('user:correct')],
  ['a bearer token without its header', `sent bearer ${OPAQUE}.`, OPAQUE],
  ['a digest header', `Authorization: Digest username="bob", response="${noise(32, HEX)}"`, 'username='],
  ['a session cookie', `Set-Cookie: sid=${OPAQUE}; Path=/; HttpOnly`, OPAQUE],
  ['an environment line', `DB_PASSWORD=x&y;z,${OPAQUE}`, OPAQUE],
  ['an exported variable', `export SERVICE_API_KEY_PROD='${OPAQUE}'`, OPAQUE],
  ['an escaped line end before a name', `{"env":"A=1\\nDB_PASSWORD=${OPAQUE}\\nB=2"}`, OPAQUE],
  ['an escaped line end before a token', `{"log":"x\\nghp_${noise(36, ALNUM)}\\n"}`, noise(36, ALNUM)],
  ['YAML', `  client_secret: ${OPAQUE}\n`, OPAQUE],
  ['code', `const password = "${OPAQUE}";`, OPAQUE],
  ['code with a type', `password: str = "${OPAQUE}"`, OPAQUE],
  ['a comparison', `if (password === '${OPAQUE}') {`, OPAQUE],
  ['a subscript', `os.environ["API_TOKEN"] = "${OPAQUE}"`, OPAQUE],
  ['a name and value pair', `{"name":"DB_PASSWORD","value":"${OPAQUE}"}`, OPAQUE],
  ['JSON', '{"password": "x"}', '"x"'],
  ['JSON in JSON', JSON.stringify({ a: JSON.stringify({ password: 'zq"xw\\yv' }) }), 'xw'],
  ['a value that was cut off', '{"password": "letmei', 'letmei'],
  ['a string that is not closed', `password: "${OPAQUE} \nnext`, OPAQUE],
  ['a number as password', 'password: 12345678', '12345678'],
  ['XML', `<db:password>${OPAQUE}</db:password>`, OPAQUE],
  ['a query parameter', `https://x/y?access_token=${OPAQUE}&page=2`, OPAQUE],
  ['a flag', `tool --api-key ${OPAQUE} run`, OPAQUE],
  ['curl -u', `curl -u bob:${OPAQUE} https://x`, OPAQUE],
  ['sshpass', `sshpass -p '${OPAQUE}' ssh host`, OPAQUE],
  ['.netrc', `machine x login bob password ${OPAQUE}`, OPAQUE],
  ['SQL', `CREATE ROLE app WITH PASSWORD '${OPAQUE}'`, OPAQUE],
  ['Chinese after a word', `id3密码：${OPAQUE}`, OPAQUE],
  ['Chinese', `密码：${OPAQUE}。`, OPAQUE],
  ['a JSON web key', `{"kty":"EC","x":"${noise(43, ALNUM, 5)}","d":"${noise(43, ALNUM, 6)}"}`, noise(43, ALNUM, 6)],
  ['a signed address', `https://x.blob/f?sp=r&sig=${OPAQUE}%3D`, OPAQUE],
  ['a Slack webhook', `https://hooks.slack.com/services/T0/B0/${OPAQUE}`, OPAQUE],
  ['a Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${noise(60, ALNUM)}`, noise(60, ALNUM)],
  ['a Telegram token', `bot 123456789:AA${noise(33, ALNUM)}`, noise(33, ALNUM)],
  ['a Mailchimp key', `${noise(32, HEX)}-us12`, noise(32, HEX)],
  ['a Terraform token', `${noise(14, ALNUM)}.atlasv1.${noise(60, ALNUM)}`, noise(60, ALNUM)],
  ['an Azure client secret', `abc1Q~${noise(34, ALNUM)}`, noise(34, ALNUM)],
  ['colour inside a token', `ghp_\u001b[1m${noise(36, ALNUM)}\u001b[0m`, noise(36, ALNUM)],
  ['a character without width', `ghp_${noise(20, ALNUM)}\u200b${noise(16, ALNUM, 9)}`, noise(16, ALNUM, 9)],
  ['a JSON escape', `{"t":"\\u0067hp_${noise(36, ALNUM)}"}`, noise(36, ALNUM)],
  ['percent escapes', `q=%67%68%70%5f${noise(36, ALNUM)}`, noise(36, ALNUM)],
  ['base64', `echo ${base64(`API_KEY=${OPAQUE}`)} | base64 -d`, base64(`API_KEY=${OPAQUE}`)],
  ['base64 twice', base64(base64(`API_KEY=${OPAQUE}`)), base64(base64(`API_KEY=${OPAQUE}`)).slice(4, 60)],
  ['a hex dump', '00000010  67 68 70 5f 34 31 77 49  6a 65 4e 74 63 4e 51 56  |ghp_41wIjeNtcNQV|', '41wIjeNtcNQV'],
];

const SURVIVORS: readonly string[] = [
  'max_tokens=4096, total_tokens: 50100776',
  '{"prompt_tokens":12,"token":" the","logprob":-0.1}',
  'const token = await fetchToken(user.id2);',
  'const apiKey = process.env.API_KEY2 ?? config.auth.key1;',
  "if (typeof apiKey === 'function') return;",
  "api_key: 'OPENAI_API_KEY'",
  'password: z.string().min(8), token: number | undefined',
  'password: "Enter your password"',
  'GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}',
  'DB_PASSWORD=$DB_PASSWORD API_KEY=$(cat key1) TOKEN=%TOKEN%',
  'API_KEY=your-api-key-here SECRET=<secret> PASSWORD=********',
  'SSH_PRIVATE_KEY=/home/app/.ssh/id_rsa PWD=/srv/app2',
  'PWD=/tmp/tmp.4Um4NNwtQc/ws.xT7s\nOLDPWD=/tmp/tmp.8Zk2QmXw1Lr\n',
  'Authorization: Bearer ${token}',
  'authorization: bearer authentication is required',
  'authorization: request.headers.get("authorization") ?? "",',
  "paths: ['headers.authorization', 'users[0].password', 'mysql_native_password', 'latin1']",
  'postgres://app@db/app postgres://postgres:postgres@localhost/db http://[::1]:3000/',
  'pad_token: "<|endoftext|>", next_page_token: "Q2FlU0FnZ0pFQnR4"',
  'session: ses_01J8ZQ4X9V7K2M3N4P5Q6R7S8T, sid: run_01J8ZQ4X9V7K2M3N4P5Q6R7S8T',
  'sk-learn sk-circle-fade-dot-animation-delay task-0123456789012345678901',
  `commit ${noise(40, HEX)} sha512-${noise(80, ALNUM)}==`,
  `cache-key-${noise(32, HEX)} primaryKey=id foreignKey=run_id_fk_2026`,
  `-----BEGIN CERTIFICATE-----\n${noise(64, ALNUM)}\n-----END CERTIFICATE-----`,
  `echo ${base64('hello world, this is not a secret')}`,
  '<password> is followed by <token>',
  "console.log('password:', password1);\n",
  'type CommaToken = CommaToken$1; exports.ER_PASSWORD = 1819;',
  `seen [redacted:github-token]=${OPAQUE} and [redacted:api-key]: ${OPAQUE}`,
  'SyntaxError: Unexpected token } in JSON at position 42',
];

describe('token shapes', () => {
  const rows = TOKEN_SHAPES.flatMap((shape) => shape.prefixes.map((prefix) => [shape.kind, prefix, shape] as const));

  it.each(rows)('%s %s… goes as a whole, its sentence stays', (kind, prefix, shape) => {
    const alphabet = Array.from(ALNUM).filter((char) => shape.body.ascii[char.charCodeAt(0)] === 1).join('');
    const token = `${prefix}1${noise(Math.max(shape.min, 30), alphabet)}`.slice(0, prefix.length + Math.max(shape.min, shape.exactly ? 0 : 30));
    expect(redactor.text(`The value is ${token}, keep it.`)).toBe(`The value is [redacted:${kind}], keep it.`);
    expect(redactor.text(`(${token}).`)).toBe(`([redacted:${kind}]).`);
  });

  it('are not found inside words', () => {
    const text = `xghp_${noise(36, ALNUM)}`;
    expect(redactor.text(text)).toBe(text);
  });

  it('leave no tail of a token that is longer than it used to be', () => {
    expect(redactor.text(`ghp_${noise(400, ALNUM)} x`)).toBe('[redacted:github-token] x');
  });
});

describe('text', () => {
  it.each(SECRETS)('hides %s', (_what, text, secret) => {
    const shown = redactor.text(text);
    expect(text).toContain(secret);
    expect(shown).not.toContain(secret);
    expect(containsRedactionMarker(shown)).toBe(true);
  });

  it.each(SECRETS)('comes back unchanged from a second pass: %s', (_what, text) => {
    const once = redactor.text(text);
    expect(redactor.text(once)).toBe(once);
  });

  it.each(SURVIVORS)('leaves alone: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('keeps what stands around a secret', () => {
    expect(redactor.text(`a postgres://app:${OPAQUE}@db:5432/app?sslmode=require b`)).toBe(
      'a postgres://app:[redacted:url-password]@db:5432/app?sslmode=require b',
    );
    expect(redactor.text(`Cookie: theme=dark; __Host-session=${OPAQUE}; lang=zh`)).toBe(
      'Cookie: theme=dark; __Host-session=[redacted:cookie]; lang=zh',
    );
  });
});

describe('known values', () => {
  const value = 'p"ä s/w+d=9';
  const knowing = createRedactor({ known: [value, 'abcd', '', 'only plain words'] });
  const json = JSON.stringify(value).slice(1, -1);

  it.each([
    ['raw', value],
    ['URL-encoded', encodeURIComponent(value)],
    ['URL-encoded in lower case', encodeURIComponent(value).replace(/%../g, (escape) => escape.toLowerCase())],
    ['as a form field', encodeURIComponent(value).replace(/%20/g, '+')],
    ['in JSON', json],
    ['in JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['in hexadecimal', Buffer.from(value).toString('hex')],
    ['in base64', base64(value)],
    ['in base64 after one byte', base64(`x${value}y`)],
    ['in base64 after two bytes', base64(`xy${value}`)],
    ['in base64url', Buffer.from(value).toString('base64url')],
  ])('are hidden %s', (_form, written) => {
    const shown = knowing.text(`<<${written}>>`);
    expect(shown).not.toContain(written.slice(4, -4));
    expect(shown).toMatch(/^<<.*\[redacted:known-value\].*>>$/);
  });

  it('are ignored when they are so short that they are words', () => {
    expect(knowing.text('the abcd of it')).toBe('the abcd of it');
  });

  it('are found where they begin inside another secret', () => {
    const overlapping = createRedactor({ known: ['tail-and more'] });
    expect(overlapping.text('PASSWORD=head-tail-and more')).not.toContain('more');
  });

  it('are matched with their case', () => {
    expect(knowing.text('Only Plain Words')).toBe('Only Plain Words');
  });
});

describe('json', () => {
  it('hides by name, by shape and in keys, and leaves the rest as it is', () => {
    const value: JsonValue = {
      password: 'x',
      nested: [{ apiKey: 'abc', count: 3, token: 'the', ok: null }, [`ghp_${noise(36, ALNUM)}`]],
      [`ghp_${noise(36, ALNUM)}`]: true,
      headers: { Authorization: `Bearer ${OPAQUE}`, cookie: `a=1; sid=${OPAQUE}` },
      env: [{ name: 'DB_PASSWORD', value: 'short' }],
      passwords: ['correcth0rse'],
      pin: { password: 123456 },
      schema: { password: { type: 'string', format: 'password' } },
      max_tokens: 4096,
    };
    expect(redactor.json(value)).toEqual({
      password: '[redacted:password]',
      nested: [{ apiKey: '[redacted:api-key]', count: 3, token: 'the', ok: null }, ['[redacted:github-token]']],
      '[redacted:github-token]': true,
      headers: { Authorization: 'Bearer [redacted:authorization]', cookie: 'a=1; sid=[redacted:cookie]' },
      env: [{ name: 'DB_PASSWORD', value: '[redacted:password]' }],
      passwords: ['[redacted:password]'],
      pin: { password: '[redacted:password]' },
      schema: { password: { type: 'string', format: 'password' } },
      max_tokens: 4096,
    });
  });

  it('takes the private parts of a web key and leaves the public ones', () => {
    const part = noise(43, ALNUM);
    const shown = redactor.json({ keys: [{ kty: 'EC', x: part, d: noise(43, ALNUM, 9) }, { d: 'M0 0' }] });
    expect(JSON.stringify(shown)).not.toContain(noise(43, ALNUM, 9));
    expect(JSON.stringify(shown)).toContain(part);
    expect(JSON.stringify(shown)).toContain('M0 0');
  });

  it('loses no entry when two keys are redacted alike', () => {
    const shown = redactor.json({ [`ghp_${noise(36, ALNUM)}`]: 1, [`ghp_${noise(36, ALNUM, 9)}`]: 2 });
    expect(shown).toEqual({ '[redacted:github-token]': 1, '[redacted:github-token]~2': 2 });
  });

  it('withholds what is nested too deep to be walked', () => {
    let deep: JsonValue = { password: 'hidden-deep' };
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(() => redactor.json(deep)).not.toThrow();
  });

  it('keeps a __proto__ key as data', () => {
    const value = JSON.parse('{"__proto__":{"password":"x"}}') as JsonValue;
    expect(JSON.stringify(redactor.json(value))).toBe('{"__proto__":{"password":"[redacted:password]"}}');
  });
});

function streamed(pieces: readonly string[], of = redactor): string {
  const stream = of.stream();
  return pieces.map((piece) => stream.push(piece)).join('') + stream.flush();
}

describe('stream', () => {
  const texts = [...SECRETS.map(([what, text]) => [what, text] as const), ...SURVIVORS.map((text) => [text, text] as const)];

  it.each(texts)('shows what the whole would show, wherever it is cut: %s', (_what, text) => {
    const line = `Some words first, then:\n${text}\nand after it “more” of them.`;
    const whole = redactor.text(line);
    expect(streamed(Array.from(line))).toBe(whole);
    for (let at = 0; at <= line.length; at += 1) expect(streamed([line.slice(0, at), line.slice(at)])).toBe(whole);
  });

  it('never shows a known value with spaces, however it is cut', () => {
    const knowing = createRedactor({ known: ['only plain words'] });
    const text = 'say only plain words now';
    for (let at = 0; at <= text.length; at += 1) {
      expect(streamed([text.slice(0, at), text.slice(at)], knowing)).toBe('say [redacted:known-value] now');
    }
  });

  it('lets prose go but for its last word', () => {
    const stream = redactor.stream();
    const prose = 'The budget of each run is kept by its owner, and whoever asks is told at once what was spent. ';
    let shown = '';
    let given = '';
    for (const char of prose.repeat(5)) {
      given += char;
      shown += stream.push(char);
      expect(given.length - shown.length).toBeLessThan(16);
    }
  });

  it('lets prose about secrets go after the next word', () => {
    const stream = redactor.stream();
    let held = 0;
    for (const char of 'A token or a password is a key to the session, and the author of the cookie keeps each secret. ') {
      held += 1 - stream.push(char).length;
      expect(held).toBeLessThan(24);
    }
  });

  it('lets text without spaces between its words go', () => {
    const stream = redactor.stream();
    expect(stream.push('每个任务的结果都会被保存下来，并且不会丢失')).toHaveLength(21);
  });

  it('holds no more than its bound, and shows nothing of a secret longer than that', () => {
    const stream = redactor.stream();
    let shown = '';
    for (let piece = 0; piece < 400; piece += 1) shown += stream.push(piece === 0 ? 'x password: "' : noise(100, ALNUM, piece + 1));
    shown += stream.push('" after ') + stream.flush();
    expect(shown).toBe('x password: "[redacted:password]" after ');
  });

  it('finds a token after a word longer than its bound', () => {
    const stream = redactor.stream();
    let shown = '';
    for (let piece = 0; piece < 400; piece += 1) shown += stream.push('x'.repeat(100));
    expect(shown.length).toBeGreaterThan(40_000 - 16_385);
    shown += stream.push(' ghp_') + stream.push(`${noise(36, ALNUM)} end`) + stream.flush();
    expect(shown).toBe(`${'x'.repeat(40_000)} [redacted:github-token] end`);
  });

  it('hides the rest of a secret whose beginning could not be known', () => {
    const stream = redactor.stream();
    const token = `ghp_${noise(36, ALNUM)}`;
    const shown = stream.push('token: h。') + stream.push(`\x1b[32mA=\x1b[0m${token}\x1b[0m; `) + stream.flush();
    expect(shown).not.toContain(token);
  });

  it('can be used again after its end', () => {
    const stream = redactor.stream();
    expect(stream.push('ghp_') + stream.flush()).toBe('ghp_');
    expect(stream.push(`${noise(36, ALNUM)} `) + stream.flush()).toBe(`${noise(36, ALNUM)} `);
  });

  it('never cuts a character in two', () => {
    const stream = redactor.stream();
    for (const half of ['a \uD83D', '\uDE00 b', '']) expect(cleanText(stream.push(half)).changed).toBe(false);
  });
});

describe('hostile text', () => {
  const LENGTH = 1 << 18;

  /** Of this process, so that a busy machine does not fail the test. */
  function cpuMs(work: () => void): number {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }

  const PIECES = [
    'a', 'sk-', 'sk-proj-', '-eyJ', 'key ', 'key=', 'password="', 'token: "a ', 'token: \\"a ', 'token: "\\"', '\\', '\\"',
    'password:\\\\\\\\', 'cookie: a=b; ', 'authorization: digest ', '://', 'a://b:', '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n', '%41', '\\u0041', '\x1b]', '\u200b', '00000000  ', 'bearer ', 'curl -u ', '<token>',
    'hooks.slack.com/a/', '"d":"', '"password",', 'login x password ', 'password: "Aaaaa aaaa ', 'pass.', '"name":"token","value":',
  ];

  // Linear takes some 20 to 50 ms; what was quadratic here took seconds.
  it.each(PIECES)('costs linear time: 256 KB of %j', (piece) => {
    const text = piece.repeat(Math.ceil(LENGTH / piece.length));
    expect(cpuMs(() => redactor.text(text))).toBeLessThan(1_000);
  });

  it('costs a stream bounded work, whatever the chunks', () => {
    const stream = redactor.stream();
    const spent = cpuMs(() => {
      for (let piece = 0; piece < 10_000; piece += 1) stream.push('key="\\"token:');
      stream.flush();
    });
    expect(spent).toBeLessThan(3_000);
  });
});
