/** Makes a requested call into a proposed one: identified, redacted, decided by policy. Nothing of it happens here. */
import type { JsonValue } from '@/lib/domain/json';
import { decideCall } from '@/lib/domain/policy';
import type { ProposedCall } from '@/lib/domain/run/input';
import { isCommand } from '@/lib/domain/tool-name';
import type { AgentRun } from './agent-run';
import type { RequestedCall } from './ports';

export interface Proposal {
  readonly call: ProposedCall;
  /** The raw arguments, for the executor only. */
  readonly original: string;
}

export type ParsedArguments = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false };

/** `""`, white space and `null` mean no arguments. Anything but an object is invalid. */
export function parseArguments(raw: string): ParsedArguments {
  const trimmed = raw.trim();
  if (trimmed === '' || trimmed === 'null') return { ok: true, value: {} };
  try {
    const value = JSON.parse(trimmed) as JsonValue;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ok: true, value } : { ok: false };
  } catch {
    return { ok: false };
  }
}

export function proposeCall(run: AgentRun, requested: RequestedCall): Proposal {
  const callId = run.entropy.newId('call');
  const tool = run.tools.find(requested.name);
  const parsed = parseArguments(requested.arguments);
  const shown: JsonValue = parsed.ok ? run.intake.json(parsed.value) : run.intake.text(requested.arguments);
  const effect = tool?.effect ?? 'none';
  const { settings } = run.recorder.state;
  return {
    original: requested.arguments,
    call: {
      callId,
      providerCallId: requested.providerCallId === '' ? callId : run.intake.text(requested.providerCallId),
      name: run.intake.text(requested.name),
      arguments: shown,
      // Endpoints that parse the history refuse malformed JSON, so it is not sent back; the error names it.
      argumentsText: parsed.ok ? JSON.stringify(shown) : '{}',
      effect,
      countsAsWrite: tool?.countsAsWrite ?? false,
      decision: decideCall(
        settings,
        { effect, command: isCommand(requested.name) },
        run.tools.sandbox !== 'none' || settings.access === 'read_only',
      ),
    },
  };
}
