import {
  ALNUM, ANY_BASE64, BASE64, BASE64URL, BEARER, DASHED, DOTTED, HEX, inClass, UPPER_ALNUM, WORD, type CharClass,
} from './char-class';
import type { Source } from './source';
import type { Trigger } from './triggers';

/**
 * Tokens that say what they are: a prefix and then a run of characters. A run is
 * always taken whole, so a token longer than its issuer used to make leaves no
 * tail behind. A new issuer is one more row.
 */
interface TokenShape {
  readonly kind: string;
  readonly prefixes: readonly string[];
  readonly body: CharClass;
  /** Shortest run; below it the prefix is an ordinary word. */
  readonly min: number;
  /** The body must be one issuer's exact length, with no letter or digit after it. */
  readonly exactly?: true;
  /** The prefix is weak: no dash or underscore before it, and a digit in the body. */
  readonly weak?: true;
}

export const TOKEN_SHAPES: readonly TokenShape[] = [
  // Ours
  { kind: 'pilothouse-token', prefixes: ['ph_'], body: BASE64URL, min: 43 },
  // Models
  { kind: 'anthropic-key', prefixes: ['sk-ant-'], body: BASE64URL, min: 20 },
  { kind: 'openai-key', prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], body: BASE64URL, min: 20 },
  { kind: 'openrouter-key', prefixes: ['sk-or-'], body: BASE64URL, min: 20 },
  { kind: 'api-key', prefixes: ['sk-lf-'], body: BASE64URL, min: 20 },
  { kind: 'api-key', prefixes: ['sk-'], body: ALNUM, min: 20, weak: true },
  { kind: 'google-key', prefixes: ['AIza'], body: BASE64URL, min: 33 },
  { kind: 'google-token', prefixes: ['ya29.', 'GOCSPX-', '1//0'], body: BASE64URL, min: 20 },
  { kind: 'api-key', prefixes: ['csk-', 'gsk_', 'pplx-'], body: ALNUM, min: 32 },
  { kind: 'api-key', prefixes: ['hf_', 'r8_', 'xai-', 'rpa_'], body: ALNUM, min: 30 },
  { kind: 'api-key', prefixes: ['nvapi-'], body: BASE64URL, min: 40 },
  { kind: 'api-key', prefixes: ['lsv2_'], body: WORD, min: 30 },
  { kind: 'api-key', prefixes: ['tvly-'], body: DASHED, min: 20 },
  { kind: 'api-key', prefixes: ['fw_'], body: ALNUM, min: 20, weak: true },
  // Source hosts and registries
  { kind: 'github-token', prefixes: ['ghp_', 'gho_', 'ghu_', 'ghr_'], body: WORD, min: 30 },
  { kind: 'github-token', prefixes: ['ghs_'], body: DOTTED, min: 30 }, // may be an id and a JWT
  { kind: 'github-token', prefixes: ['github_pat_'], body: WORD, min: 22 },
  {
    kind: 'gitlab-token',
    prefixes: ['glpat-', 'glrt-', 'gldt-', 'glptt-', 'glft-', 'glsoat-', 'glcbt-', 'glimt-', 'glagent-', 'gloas-'],
    body: DOTTED,
    min: 20,
  },
  { kind: 'atlassian-token', prefixes: ['ATATT3', 'ATCTT3'], body: ANY_BASE64, min: 40 },
  { kind: 'npm-token', prefixes: ['npm_'], body: ALNUM, min: 36 },
  { kind: 'pypi-token', prefixes: ['pypi-AgE'], body: BASE64URL, min: 40 },
  { kind: 'registry-token', prefixes: ['rubygems_', 'dckr_pat_', 'dckr_oat_'], body: BASE64URL, min: 24 },
  // Clouds and hosting
  { kind: 'aws-key-id', prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: UPPER_ALNUM, min: 16, exactly: true },
  { kind: 'aws-key', prefixes: ['ABSK'], body: BASE64, min: 80 },
  { kind: 'alibaba-key-id', prefixes: ['LTAI'], body: ALNUM, min: 12, weak: true },
  { kind: 'digitalocean-token', prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: HEX, min: 40 },
  { kind: 'cloudflare-token', prefixes: ['cfut_', 'cfat_', 'cfk_'], body: ALNUM, min: 40 },
  { kind: 'hosting-token', prefixes: ['HRKU-', 'fo1_'], body: BASE64URL, min: 40 },
  { kind: 'hosting-token', prefixes: ['fm1r_', 'fm2_'], body: ANY_BASE64, min: 40 },
  { kind: 'hosting-token', prefixes: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], body: ALNUM, min: 24 },
  { kind: 'hosting-token', prefixes: ['nfp_', 'nfc_', 'nfo_', 'nfb_', 'nfu_'], body: ALNUM, min: 36 },
  { kind: 'supabase-key', prefixes: ['sbp_'], body: WORD, min: 40 },
  { kind: 'supabase-key', prefixes: ['sb_secret_'], body: BASE64URL, min: 20 },
  { kind: 'database-token', prefixes: ['pscale_tkn_', 'pscale_oauth_', 'pscale_pw_'], body: DOTTED, min: 30 },
  { kind: 'databricks-token', prefixes: ['dapi'], body: HEX, min: 32, exactly: true },
  { kind: 'openshift-token', prefixes: ['sha256~'], body: BASE64URL, min: 40 },
  { kind: 'vault-token', prefixes: ['hvs.', 'hvb.', 'hvr.'], body: BASE64URL, min: 24 },
  { kind: 'tailscale-key', prefixes: ['tskey-'], body: DASHED, min: 20 },
  { kind: 'pulumi-token', prefixes: ['pul-'], body: HEX, min: 40, exactly: true },
  { kind: 'prefect-token', prefixes: ['pnu_', 'pnb_'], body: ALNUM, min: 36 },
  { kind: 'doppler-token', prefixes: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], body: DOTTED, min: 40 },
  { kind: 'age-key', prefixes: ['AGE-SECRET-KEY-1'], body: UPPER_ALNUM, min: 50 },
  // Messages, money, monitoring, documents
  {
    kind: 'slack-token',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.', 'xapp-'],
    body: BEARER,
    min: 20,
  },
  { kind: 'twilio-key', prefixes: ['SK'], body: HEX, min: 32, exactly: true },
  { kind: 'sendgrid-key', prefixes: ['SG.'], body: DOTTED, min: 40 },
  { kind: 'mailgun-key', prefixes: ['key-'], body: HEX, min: 32, exactly: true, weak: true },
  { kind: 'stripe-key', prefixes: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'], body: WORD, min: 16 },
  { kind: 'webhook-secret', prefixes: ['whsec_'], body: ANY_BASE64, min: 20 },
  { kind: 'shopify-token', prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], body: ALNUM, min: 32 },
  { kind: 'square-token', prefixes: ['sq0csp-', 'sq0atp-'], body: BASE64URL, min: 20 },
  { kind: 'sentry-token', prefixes: ['sntryu_', 'sntrys_', 'sntrya_'], body: ANY_BASE64, min: 40 },
  { kind: 'grafana-token', prefixes: ['glsa_'], body: WORD, min: 32 },
  { kind: 'grafana-token', prefixes: ['glc_'], body: ANY_BASE64, min: 32 },
  { kind: 'newrelic-key', prefixes: ['NRAK-'], body: UPPER_ALNUM, min: 27 },
  { kind: 'airtable-token', prefixes: ['pat'], body: DOTTED, min: 14 + 1 + 64, weak: true },
  { kind: 'postman-key', prefixes: ['PMAK-'], body: DASHED, min: 50 },
  { kind: 'linear-key', prefixes: ['lin_api_', 'lin_oauth_'], body: ALNUM, min: 32 },
  { kind: 'notion-token', prefixes: ['ntn_'], body: ALNUM, min: 40 },
  { kind: 'figma-token', prefixes: ['figd_', 'figu_'], body: BASE64URL, min: 30 },
  { kind: 'buildkite-token', prefixes: ['bkua_'], body: ALNUM, min: 36 },
  { kind: 'sourcegraph-token', prefixes: ['sgp_'], body: WORD, min: 40 },
  { kind: 'onepassword-token', prefixes: ['ops_eyJ'], body: ANY_BASE64, min: 60 },
];

export const tokenTriggers: readonly Trigger[] = TOKEN_SHAPES.flatMap((shape) =>
  shape.prefixes.map((word) => ({
    word,
    exact: true,
    read: (source: Source, start: number, end: number) => readToken(source, shape, start, end),
  })),
);

function readToken(source: Source, shape: TokenShape, start: number, bodyStart: number): void {
  if (!startsToken(source, start, shape.weak === true)) return;
  const run = source.run(shape.body, bodyStart);
  // The full stop of a sentence is not the token's.
  let end = run;
  while (end > bodyStart && /[.:|%]/.test(source.text.charAt(end - 1))) end -= 1;
  const length = end - bodyStart;
  if (length < shape.min) return;
  if (shape.exactly === true && (length > shape.min || inClass(WORD, source.code(end)))) return;
  if (shape.weak === true && !/\d/.test(source.text.slice(bodyStart, Math.min(end, bodyStart + 256)))) return;
  source.found(start, end, shape.kind, shape.body);
}

/** A token begins where no word goes on; the letter of an escape such as \n is no word. */
export function startsToken(source: Source, start: number, strict: boolean): boolean {
  const before = source.text.charAt(start - 1);
  if (before === '') return true;
  if (strict && (before === '-' || before === '_')) return false;
  if (!inClass(ALNUM, before.charCodeAt(0))) return true;
  return 'nrtbf'.includes(before) && source.text.charAt(start - 2) === '\\';
}
