/**
 * The script of the scripted model: a JSON list, one entry per settled request of
 * a task. The form is strict: a misspelt key would be a script that means
 * something else than it says.
 *
 *     [ { "text": "I look first.", "tool_calls": [{ "name": "list_files", "arguments": { "path": "." } }],
 *         "usage": { "input_tokens": 120, "output_tokens": 14 } },
 *       { "text": "Done." } ]
 *
 * An entry without `usage`, or with null, is a provider that reported none: unknown.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { PROVIDER_FAILURE_CLASSES } from '@/lib/domain/failure';

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** 2^31 - 1 milliseconds is what a timer can wait. */
const Milliseconds = z.number().int().min(0).max(2_147_483_647);

const Call = z.strictObject({
  name: z.string(),
  /** An object, or the raw text as a model would send it, valid JSON or not. */
  arguments: z.union([z.record(z.string(), z.json()), z.string()]).default('{}'),
  id: z.string().optional(),
});

const Usage = z
  .strictObject({
    input_tokens: Count,
    output_tokens: Count,
    cached_tokens: Count.default(0),
    reasoning_tokens: Count.default(0),
  })
  .refine((usage) => usage.cached_tokens <= usage.input_tokens, 'cached_tokens is a part of input_tokens');

const Entry = z.strictObject({
  text: z.string().default(''),
  reasoning: z.string().default(''),
  tool_calls: z.array(Call).default([]),
  finish_reason: z.enum(['stop', 'tool_calls', 'length', 'unknown']).optional(),
  usage: Usage.nullish(),
  /** The request fails with this; `text` is then what was seen before. */
  error: z
    .strictObject({
      class: z.enum(PROVIDER_FAILURE_CLASSES),
      code: z.string().min(1).optional(),
      message: z.string().optional(),
      retryable: z.boolean().optional(),
      retry_after_ms: Milliseconds.optional(),
      http_status: z.number().int().min(100).max(599).optional(),
    })
    .optional(),
  /** Spread evenly before the pieces of the answer. */
  delay_ms: Milliseconds.default(0),
  /** What the request must look like; it fails loudly when it does not. */
  expect: z
    .strictObject({
      last_message_includes: z.string().optional(),
      system_prompt_includes: z.string().optional(),
      tools_include: z.array(z.string()).optional(),
    })
    .optional(),
});

const Entries = z.array(Entry);

export type ScriptEntry = z.output<typeof Entry>;
export type Script = readonly ScriptEntry[];

export type ScriptResult =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problem: 'unreadable' | 'not_json' | 'invalid'; readonly message: string };

/** @param name how messages call the script: its path, say. */
export function parseScript(text: string, name = 'the script'): ScriptResult {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return { ok: false, problem: 'not_json', message: `${name} is not JSON: ${messageOf(error)}` };
  }
  const entries = Entries.safeParse(json);
  if (entries.success) return { ok: true, script: entries.data };
  const issue = entries.error.issues[0];
  const [entry, ...field] = issue?.path ?? [];
  const where = typeof entry === 'number' ? `entry ${entry + 1}${field.length === 0 ? '' : `, ${field.join('.')}`}` : 'the whole';
  return { ok: false, problem: 'invalid', message: `${name} is not valid in ${where}: ${issue?.message ?? 'wrong form'}` };
}

export function loadScript(path: string): ScriptResult {
  try {
    return parseScript(readFileSync(path, 'utf8'), path);
  } catch (error) {
    return { ok: false, problem: 'unreadable', message: `${path} cannot be read: ${messageOf(error)}` };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
