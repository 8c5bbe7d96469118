/** What an answer of the API says: what was asked for, or why not, by its status and its problem's code. */
import { z } from 'zod';
import { oneLine } from '../output/terminal-text';
import { ControlPlaneError } from './control-plane-error';

const problemSchema = z.object({
  code: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  current: z.record(z.string(), z.unknown()).optional(),
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});
type Problem = z.infer<typeof problemSchema>;

const MESSAGE_WIDTH = 1_000;

/** @throws ControlPlaneError */
export async function readAnswer<T>(response: Response, url: string, schema: z.ZodType<T>): Promise<T> {
  const body = parsed(await response.text());
  if (!response.ok) throw refusalOf(response.status, body, url);
  const read = schema.safeParse(body);
  if (!read.success) throw strange(url);
  return read.data;
}

export function refusalOf(status: number, body: unknown, url: string): ControlPlaneError {
  const read = problemSchema.safeParse(body);
  if (status >= 500 || status === 429) {
    const why = read.success ? `: ${said(read.data)}` : '';
    return new ControlPlaneError({ kind: 'away' }, oneLine(`the control plane at ${url} answers with ${status}${why}`, MESSAGE_WIDTH));
  }
  if (!read.success) return strange(url);
  const { code } = read.data;
  const failure = { kind: 'refused', status, code } as const;
  if (status === 401) return new ControlPlaneError(failure, `the control plane at ${url} does not accept the token`, 'It may be mistyped, revoked or expired: check PILOTHOUSE_TOKEN or --token.');
  return new ControlPlaneError(failure, oneLine(said(read.data), MESSAGE_WIDTH));
}

export const strange = (url: string): ControlPlaneError =>
  new ControlPlaneError({ kind: 'strange' }, `what answers at ${url} is not a control plane of Pilothouse, or not of this version`, 'Check PILOTHOUSE_URL or --url.');

function said({ code, title, detail, current, errors }: Problem): string {
  if (errors !== undefined && errors.length > 0) {
    const fields = errors.map(({ pointer, message }) => `${OPTION_OF[pointer] ?? pointer} ${message}`).join('; ');
    return code === 'invalid' ? fields : `${code}: ${fields}`;
  }
  const status = current?.['status'];
  return `${detail ?? title}${typeof status === 'string' ? ` (it is ${status})` : ''}`;
}

/** Where a member of a request comes from, for whoever typed it. */
const OPTION_OF: Readonly<Record<string, string>> = {
  '/task': 'the task',
  '/text': 'the message',
  '/workspace': '--cwd',
  '/model': '--model',
  '/verifier': '--verifier',
  '/policy': '--policy',
  '/unsandboxed': '--unsandboxed',
  '/budget/usd': '--max-cost-usd',
  '/limits/cost_micro_usd': '--max-cost-usd',
  '/limits/tokens': '--max-tokens',
  '/limits/rounds': '--max-turns',
  '/limits/tool_calls': '--max-tool-calls',
  '/limits/wall_seconds': '--max-wall-seconds',
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
