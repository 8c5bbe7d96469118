/**
 * Runs the calls of a response in order: prepare → execute → finalise. A call with
 * an effect commits its intent before the effect and its outcome after it (I5);
 * adjacent calls without effect overlap and share one commit.
 */
import type { RunInput } from '@/lib/domain/run/input';
import { callsLeft } from '@/lib/domain/run/next-step';
import type { OpenCall } from '@/lib/domain/run/state';
import { isHeard, isStopped, type AgentRun } from './agent-run';
import { finaliseCall } from './finalise-call';
import { liveStream } from './live-stream';
import type { OutputStream, Prepared, ToolContext, ToolOutcome } from './ports';
import { parseArguments } from './propose-call';

/** Of adjacent calls without effect: what they return together is held in memory and stored by one commit. */
const AT_ONCE = 16;

export async function callTools(run: AgentRun): Promise<void> {
  const [first, ...rest] = run.recorder.state.calls;
  if (first === undefined) return;
  if (first.effect !== 'none') return callWithEffect(run, first);
  const end = rest.findIndex((call) => call.effect !== 'none');
  const adjacent = [first, ...(end === -1 ? rest : rest.slice(0, end))].slice(0, Math.min(AT_ONCE, callsLeft(run.recorder.state)));
  const ends = await Promise.all(adjacent.map((call) => callWithoutEffect(run, call)));
  if (isStopped(run)) return;
  await run.recorder.record(ends.flat());
}

async function callWithoutEffect(run: AgentRun, call: OpenCall): Promise<readonly RunInput[]> {
  const prepared = await prepare(run, call);
  if (!prepared.ok) return [refused(run, call, prepared)];
  const outcome = await execute(run, call, prepared);
  return [{ type: 'start_call', callId: call.callId }, await finaliseCall(run, call, outcome)];
}

async function callWithEffect(run: AgentRun, call: OpenCall): Promise<void> {
  const prepared = await prepare(run, call);
  if (!prepared.ok) {
    await run.recorder.record([refused(run, call, prepared)]);
    return;
  }
  await run.changes.rememberStart();
  if (isStopped(run)) return;
  const intent = await run.recorder.record([{ type: 'start_call', callId: call.callId }]);
  if (!intent.ok) return;
  const outcome = isStopped(run) ? NOT_BEGUN : await execute(run, call, prepared);
  await run.recorder.record([await finaliseCall(run, call, outcome)]);
}

const NOT_BEGUN: ToolOutcome = { kind: 'failed', code: 'aborted', message: 'The run was stopped before the call had begun.' };

async function prepare(run: AgentRun, call: OpenCall): Promise<Prepared> {
  const tool = run.tools.find(call.name);
  if (tool === undefined) {
    const names = run.tools.descriptions.map((description) => description.name).join(', ');
    return { ok: false, code: 'unknown_tool', message: `There is no tool of this name. The tools are: ${names}.` };
  }
  const original = run.originals.get(call.callId);
  if (original === undefined) {
    return { ok: false, code: 'arguments_lost', message: 'The original arguments of this call are not available any more. Call it again.' };
  }
  const parsed = parseArguments(original);
  if (!parsed.ok) {
    return { ok: false, code: 'invalid_arguments', message: 'The arguments are not a JSON object. Call the tool again with valid JSON.' };
  }
  try {
    return await tool.prepare(parsed.value, run.workspace);
  } catch (error) {
    return { ok: false, code: 'tool_error', message: messageOf(error) };
  }
}

async function execute(run: AgentRun, call: OpenCall, prepared: Extract<Prepared, { ok: true }>): Promise<ToolOutcome> {
  const streams = new Map<OutputStream, ReturnType<typeof liveStream>>();
  const open = (stream: OutputStream): ReturnType<typeof liveStream> => {
    const made = liveStream(
      run.intake,
      () => isHeard(run),
      (text, offset) => run.publish({ type: 'tool.output', payload: { call_id: call.callId, stream, offset, text } }),
    );
    streams.set(stream, made);
    return made;
  };
  const context: ToolContext = {
    callId: call.callId,
    workspace: run.workspace,
    signal: run.signal,
    onOutput: (stream, text) => (streams.get(stream) ?? open(stream)).push(text),
  };
  try {
    return await prepared.execute(context);
  } catch (error) {
    // A tool must not throw. If it does, what it did with an effect is not known.
    return call.effect === 'none'
      ? { kind: 'failed', code: 'tool_error', message: messageOf(error) }
      : { kind: 'unknown', reason: `the tool broke off: ${messageOf(error)}` };
  } finally {
    for (const stream of streams.values()) stream.end();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function refused(run: AgentRun, call: OpenCall, prepared: Extract<Prepared, { ok: false }>): RunInput {
  run.originals.delete(call.callId);
  return {
    type: 'end_call',
    callId: call.callId,
    outcome: { kind: 'failed', code: prepared.code, message: run.intake.text(prepared.message) },
  };
}
