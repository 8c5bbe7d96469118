import type { JsonValue } from '@/lib/domain/json';
import type { OutputStream, Tool, ToolOutcome, ToolWorkspace } from '@/lib/agent/ports';

export type CallResult = ToolOutcome | { readonly kind: 'refused'; readonly code: string; readonly message: string };

export interface CallOptions {
  readonly access?: ToolWorkspace['access'];
  readonly signal?: AbortSignal;
  readonly onOutput?: (stream: OutputStream, text: string) => void;
}

/** Prepares and executes one call, as the agent loop does. */
export async function callTool(tool: Tool, root: string, args: JsonValue, options: CallOptions = {}): Promise<CallResult> {
  const workspace: ToolWorkspace = { root, access: options.access ?? 'read_write' };
  const prepared = await tool.prepare(args, workspace);
  if (!prepared.ok) return { kind: 'refused', code: prepared.code, message: prepared.message };
  return prepared.execute({
    callId: 'call_test',
    workspace,
    signal: options.signal ?? new AbortController().signal,
    onOutput: options.onOutput ?? (() => undefined),
  });
}
