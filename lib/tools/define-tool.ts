import { z } from 'zod';
import type { CallSubject, Prepared, Tool, ToolContext, ToolOutcome, ToolWorkspace } from '@/lib/agent/ports';
import type { CallEffect } from '@/lib/domain/tool-call';
import type { JsonValue } from '@/lib/domain/json';

export type Refused = Extract<Prepared, { ok: false }>;

export interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effect: CallEffect;
  readonly countsAsWrite?: boolean;
  /** A strict object: an argument that nobody knows is refused, not ignored. */
  readonly schema: Schema;
  /** Everything that can be refused before there is an effect. May throw: that becomes `internal`. */
  prepare(args: z.output<Schema>, workspace: ToolWorkspace): Prepared | Promise<Prepared>;
}

/** A tool as the agent loop sees it: arguments checked, and no way to throw. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, effect, schema } = definition;
  return {
    description: { name, description, parameters: parametersOf(schema) },
    effect,
    countsAsWrite: definition.countsAsWrite ?? false,
    async prepare(argumentsObject, workspace) {
      const parsed = schema.safeParse(argumentsObject);
      if (!parsed.success) return refuse('invalid_arguments', describeIssues(name, schema, parsed.error));
      try {
        const prepared = await definition.prepare(parsed.data, workspace);
        return prepared.ok ? { ...prepared, execute: neverRejecting(prepared.execute, effect) } : prepared;
      } catch {
        return refuse('internal', `${name} could not be prepared; nothing was done`);
      }
    },
  };
}

export function refuse(code: string, message: string): Refused {
  return { ok: false, code, message };
}

export function accept(subject: CallSubject, execute: (context: ToolContext) => Promise<ToolOutcome>): Prepared {
  return { ok: true, subject, execute };
}

export function failed(code: string, message: string): ToolOutcome {
  return { kind: 'failed', code, message };
}

export function completed(output: string, truncated = false): ToolOutcome {
  return { kind: 'completed', output, truncated };
}

/** What escapes as an exception has no known outcome, unless there is no effect that could be unknown. */
function neverRejecting(
  execute: (context: ToolContext) => Promise<ToolOutcome>,
  effect: CallEffect,
): (context: ToolContext) => Promise<ToolOutcome> {
  return async (context) => {
    try {
      return await execute(context);
    } catch (error) {
      const what = error instanceof Error ? error.name : 'error';
      if (effect === 'none') return failed('internal', `the tool itself failed (${what})`);
      return { kind: 'unknown', reason: `the tool itself failed (${what}) and cannot say what it had done` };
    }
  };
}

function parametersOf(schema: z.ZodObject): JsonValue {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  // Through text: the library's type allows more than JSON, its value does not.
  return JSON.parse(JSON.stringify(parameters)) as JsonValue;
}

/** Values are not repeated: they may be long, and the reader has just written them. */
function describeIssues(name: string, schema: z.ZodObject, error: z.ZodError): string {
  const valid = Object.keys(schema.shape);
  const problems = error.issues.slice(0, 5).map((issue) => {
    if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.slice(0, 10).map((key) => key.slice(0, 80)).join(', ')}`;
    const where = issue.path.map(String).join('.');
    return where === '' ? issue.message : `${where}: ${issue.message}`;
  });
  return `${problems.join('; ')}. ${name} takes ${valid.length === 0 ? 'no arguments' : valid.join(', ')}.`;
}
