import { describe, expect, test } from 'vitest';
import { ConfigurationError } from './configuration-error';
import { readEnvironment } from './environment';

const around = { packageRoot: '/opt/pilothouse', cwd: '/home/ada/project' };
const read = (env: Record<string, string>) => readEnvironment(env, around);

function refusalOf(env: Record<string, string>): ConfigurationError {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('the environment was accepted');
}

describe('the environment', () => {
  test('an empty one gives the published defaults', () => {
    expect(read({})).toEqual({
      packageRoot: '/opt/pilothouse',
      dataDirectory: '/opt/pilothouse/.pilothouse',
      database: { kind: 'embedded' },
      web: { port: 3000, host: '127.0.0.1' },
      auth: { secret: undefined, url: undefined, oidc: undefined },
      adminToken: undefined,
      workspaceRoots: {
        server: ['/opt/pilothouse/.pilothouse/workspaces'],
        cli: ['/opt/pilothouse/.pilothouse/workspaces', '/home/ada/project'],
      },
      model: { apiKey: undefined, baseUrl: undefined, name: undefined, idleSeconds: 300, retries: 5, pricesFile: undefined },
      workers: { processes: 1, runsPerProcess: 16, leaseSeconds: 15 },
      stall: { first: 15, repeat: 5, end: 40, repeatCalls: 3 },
      cancelGraceSeconds: 10,
      children: { depth: 3, breadth: 8 },
      approvalTimeoutSeconds: 3600,
      remote: { url: undefined, token: undefined },
    });
  });

  test('an empty value means the default, as an absent one does', () => {
    expect(read({ PORT: '', DATABASE_URL: '', AUTH_SECRET: '', OPENAI_API_KEY: '', PILOTHOUSE_PRICES: '' })).toEqual(read({}));
  });

  test('relative paths are taken from the current directory', () => {
    const configuration = read({
      PILOTHOUSE_DATA_DIR: 'data',
      PILOTHOUSE_PRICES: 'prices.json',
      PILOTHOUSE_WORKSPACE_ROOTS: '/srv/a:b:',
    });
    expect(configuration.dataDirectory).toBe('/home/ada/project/data');
    expect(configuration.model.pricesFile).toBe('/home/ada/project/prices.json');
    expect(configuration.workspaceRoots.server).toEqual(['/srv/a', '/home/ada/project/b']);
    expect(configuration.workspaceRoots.cli).toEqual(configuration.workspaceRoots.server);
  });

  test('DATABASE_URL chooses an external database', () => {
    const url = 'postgres://u:p@db:5432/x?sslmode=require';
    expect(read({ DATABASE_URL: url }).database).toEqual({ kind: 'external', url });
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PILOTHOUSE_WORKERS', '0'],
    ['PILOTHOUSE_LEASE_SECONDS', '1'],
    ['PILOTHOUSE_MODEL_RETRIES', '1e3'],
    ['PILOTHOUSE_STALL_END', '3'],
    ['AUTH_URL', 'localhost:3000'],
    ['OPENAI_BASE_URL', 'not an address'],
    ['DATABASE_URL', 'mysql://u:p@db/x'],
  ])('%s=%s is refused in one line that names it', (name, value) => {
    const refusal = refusalOf({ [name]: value });
    expect(refusal.variable).toBe(name);
    expect(refusal.message).toMatch(new RegExp(`^${name} (must|is) .{10,}$`));
  });

  test.each([
    ['DATABASE_URL', 'hunter2@db'],
    ['AUTH_SECRET', 'hunter2'],
    ['PILOTHOUSE_ADMIN_TOKEN', 'hunter2'],
    ['OPENAI_BASE_URL', 'ftp://u:hunter2@models'],
  ])('a refused %s does not show its value', (name, value) => {
    expect(refusalOf({ [name]: value }).message).not.toContain('hunter2');
  });

  test('a sign-in provider is given whole or not at all', () => {
    const whole = { AUTH_OIDC_ISSUER: 'https://id.example', AUTH_OIDC_ID: 'pilothouse', AUTH_OIDC_SECRET: 'a-secret' };
    expect(read({ ...whole, AUTH_OIDC_NAME: 'Example' }).auth.oidc).toEqual({
      issuer: 'https://id.example',
      clientId: 'pilothouse',
      clientSecret: 'a-secret',
      name: 'Example',
    });
    expect(refusalOf({ ...whole, AUTH_OIDC_SECRET: '' }).message).toContain('AUTH_OIDC_SECRET');
  });
});
