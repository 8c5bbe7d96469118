/** What `doctor` looks at besides the database; each check answers, none throws. */
import { execFile } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Configuration } from '@/lib/config/environment';
import type { System } from '@/lib/system';
import type { Finding } from './doctor-report';

const OLDEST_NODE = [20, 19] as const;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const fits = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return fits
    ? { name: 'node', state: 'ok', detail: version }
    : { name: 'node', state: 'missing', detail: `${version} is too old`, advice: `Install Node.js ${OLDEST_NODE.join('.')} or newer.` };
}

export async function checkDataDirectory(directory: string): Promise<Finding> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return { name: 'data', state: 'ok', detail: directory };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return {
      name: 'data',
      state: 'missing',
      detail: `${directory} cannot be written (${code})`,
      advice: 'Make it writable, or set PILOTHOUSE_DATA_DIR to a directory that is.',
    };
  }
}

export async function checkGit(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 5_000 });
    return { name: 'git', state: 'ok', detail: stdout.trim() };
  } catch {
    return { name: 'git', state: 'warn', detail: 'not found', advice: 'Install git to work in repositories that are cloned.' };
  }
}

const SANDBOXES: Readonly<Record<System['sandbox'], Omit<Finding, 'name'>>> = {
  bubblewrap: { state: 'ok', detail: 'bubblewrap: commands run without network and outside of nothing but their workspace' },
  unsandboxed: { state: 'warn', detail: 'commands run without a sandbox' },
  none: {
    state: 'warn',
    detail: 'bubblewrap is not there, or may not work here: commands need an approval',
    advice: 'Install bubblewrap (bwrap), or give --unsandboxed where you answer for what commands do.',
  },
};

export const checkSandbox = (sandbox: System['sandbox']): Finding => ({ name: 'sandbox', ...SANDBOXES[sandbox] });

export function checkModel({ model }: Configuration): Finding {
  if (model.apiKey === undefined && model.baseUrl === undefined) {
    return {
      name: 'model',
      state: 'warn',
      detail: 'none is configured; "exec --sample" works all the same',
      advice: 'Set OPENAI_API_KEY and PILOTHOUSE_MODEL, and OPENAI_BASE_URL for another OpenAI-compatible endpoint.',
    };
  }
  const where = `${model.baseUrl === undefined ? 'the OpenAI API' : addressOf(model.baseUrl)}, ${model.apiKey === undefined ? 'without a key' : 'with a key'}`;
  return model.name === undefined
    ? { name: 'model', state: 'warn', detail: `no name, at ${where}`, advice: 'Set PILOTHOUSE_MODEL, or give --model with each task.' }
    : { name: 'model', state: 'ok', detail: `${model.name} at ${where}` };
}

const OPENAI = 'https://api.openai.com/v1';
const PING_MS = 5_000;

/** Asks for the list of models, which costs nothing. */
export async function pingModel({ model }: Configuration): Promise<Finding> {
  const base = (model.baseUrl ?? OPENAI).replace(/\/$/, '');
  try {
    const response = await fetch(`${base}/models`, {
      headers: model.apiKey === undefined ? {} : { authorization: `Bearer ${model.apiKey}` },
      signal: AbortSignal.timeout(PING_MS),
    });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403) {
      return { name: 'endpoint', state: 'warn', detail: `answers, and refuses the key (${response.status})`, advice: 'Check OPENAI_API_KEY.' };
    }
    return response.status >= 500
      ? { name: 'endpoint', state: 'warn', detail: `answers with ${response.status}` }
      : { name: 'endpoint', state: 'ok', detail: `answers (${response.status})` };
  } catch {
    return { name: 'endpoint', state: 'warn', detail: `${addressOf(base)} cannot be reached within ${PING_MS / 1_000} s`, advice: 'Check OPENAI_BASE_URL and the network.' };
  }
}

/** Without user, password and query, which may hold secrets. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that is not valid';
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}
