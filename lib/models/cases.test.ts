/**
 * Runs the adapter over responses that nobody here wrote, where the folder of
 * shared cases lies beside the checkout; each through the pure reader and over
 * real HTTP. Without the folder the own tests beside this file stand alone.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { ModelOutcome } from '@/lib/agent/ports';
import { findPackageRoot } from '@/lib/config/package-root';
import type { FakeOpenai } from '@/lib/testing/fake-openai-server';
import { raw, startFakeOpenai } from '@/lib/testing/fake-openai-server';
import { bodyReader } from './body-reader';
import { frameRing } from './frame-ring';
import { openAiCompatibleModel } from './openai-compatible';
import { completionReader } from './read-completion';
import { modelRequest } from './testing/model-request';

const folder = path.resolve(findPackageRoot(), '../shared/cases/streams');
const found = existsSync(folder);
if (!found) console.warn('The shared stream cases do not lie beside this checkout: only the own cases are run.');

interface Body {
  readonly contentType: string;
  readonly bytes: Buffer;
}

// ---------------------------------------------------------------- recorded

const Facts = z.array(
  z.object({
    file: z.string(),
    responses: z.array(
      z.object({
        completions: z
          .array(
            z.object({
              text: z.string(),
              reasoning_chars: z.number(),
              reasoning_sha256: z.string().nullable(),
              tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string(), parsed: z.unknown() })),
              finish_reason: z.string().nullable(),
              usage: z
                .object({ prompt: z.number(), completion: z.number(), cached: z.number().nullable(), reasoning: z.number().nullable() })
                .nullable(),
              errors: z.array(z.object({ code: z.string(), message: z.string() })),
            }),
          )
          .length(1),
      }),
    ),
  }),
);
type Fact = z.output<typeof Facts>[number]['responses'][number]['completions'][number];

const Cassette = z.object({
  interactions: z.array(
    z.object({
      response: z.object({
        body: z.union([z.string(), z.object({ string: z.string() })]).optional(),
        parsed_body: z.unknown().optional(),
      }),
    }),
  ),
});

function recordedBodies(file: string): readonly Body[] {
  const text = readFileSync(path.join(folder, 'recorded', file), 'utf8');
  if (file.endsWith('.json')) return [json(text)];
  if (file.endsWith('.chunks.txt')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return [events([...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))];
  }
  return Cassette.parse(parseYaml(text)).interactions.map(({ response }) => {
    if (response.body === undefined) return json(JSON.stringify(response.parsed_body));
    return events(typeof response.body === 'string' ? response.body : response.body.string);
  });
}

function checkFact(outcome: ModelOutcome, fact: Fact): void {
  const { usage } = fact;
  if (usage === null) expect(outcome.usage.state).toBe('unknown');
  else {
    expect(outcome.usage).toEqual({
      state: 'known',
      inputTokens: usage.prompt,
      outputTokens: usage.completion,
      cachedTokens: usage.cached ?? 0,
      reasoningTokens: usage.reasoning ?? 0,
    });
  }
  const [error] = fact.errors;
  if (error !== undefined) {
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: error.code, message: error.message }, partialText: fact.text });
    return;
  }
  if (outcome.kind !== 'responded') throw new Error(`expected a response, got ${JSON.stringify(outcome)}`);
  expect(outcome.text).toBe(fact.text);
  // Counted by characters there, by UTF-16 units in a string here.
  expect(Array.from(outcome.reasoning)).toHaveLength(fact.reasoning_chars);
  if (fact.reasoning_sha256 !== null) {
    expect(createHash('sha256').update(outcome.reasoning).digest('hex').slice(0, 16)).toBe(fact.reasoning_sha256);
  }
  expect(outcome.calls).toEqual(
    fact.tool_calls.map((call) => ({ providerCallId: call.id, name: call.name, arguments: call.arguments })),
  );
  expect(outcome.calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual(fact.tool_calls.map((call) => call.parsed));
  expect(outcome.finishReason).toBe(fact.finish_reason ?? 'unknown');
}

// ---------------------------------------------------------------- written

/** What `expected.json` says in words, as checks. Its numbers and calls are read from the file itself. */
const WRITTEN: Readonly<Record<string, (outcome: ModelOutcome) => void>> = {
  s01_reasoning_only_stop: responded({ text: '', calls: [], finishReason: 'stop' }),
  s02_empty_no_reasoning: responded({ text: '', reasoning: '', calls: [] }),
  s05_truncated_no_finish: failed({ failure: { class: 'incomplete' }, partialText: 'Half an ans', usage: { state: 'unknown' } }),
  s06_truncated_in_tool_args: failed({ failure: { class: 'incomplete' }, usage: { state: 'unknown' } }),
  s07_malformed_args_finish_tool_calls: responded({
    calls: [{ providerCallId: 'call_a', name: 'edit', arguments: '{"path":"a.txt","old":"x"' }],
    finishReason: 'tool_calls',
  }),
  s09_interleaved_parallel: responded({ finishReason: 'tool_calls' }),
  s11_content_filter: failed({
    failure: { class: 'content_filter', retryable: false },
    partialText: 'Partial ',
    usage: { state: 'known', inputTokens: 1200, outputTokens: 80 },
  }),
  s13_usage_repeated_cumulative: responded({ text: 'ab', usage: { state: 'known', inputTokens: 10, outputTokens: 3 } }),
  s14_usage_negative: responded({ text: 'ok', usage: { state: 'unknown', reason: expect.stringMatching(/^usage_invalid/) as string } }),
  s14_usage_null: responded({ text: 'ok', usage: { state: 'unknown', reason: expect.stringMatching(/^usage_invalid/) as string } }),
  s17_utf8_split: responded({ text: 'emoji 😀 and 中文' }),
  // As it came: what is stored is cleaned at the one entry, not by each adapter.
  s18_lone_surrogate_and_nul: responded({ text: 'a\u0000b\ud83d c \udfff' }),
  s19b_error_event_mid: failed({ failure: { class: 'auth', code: '401' }, partialText: 'par' }),
  s20_n2_choices: responded({ text: 'zero' }),
  s25_html_200: failed({ failure: { class: 'malformed', message: expect.stringContaining('text/html') as string } }),
};

const Expected = z.record(
  z.string(),
  z.object({
    outcome: z.string(),
    usage: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
    tools: z.array(z.tuple([z.string(), z.string(), z.unknown()])).optional(),
  }),
);
type Expectation = z.output<typeof Expected>[string];

function responded(what: object): (outcome: ModelOutcome) => void {
  return (outcome) => {
    expect(outcome).toMatchObject({ kind: 'responded', ...what });
  };
}

function failed(what: object): (outcome: ModelOutcome) => void {
  return (outcome) => {
    expect(outcome).toMatchObject({ kind: 'failed', ...what });
    expect(outcome).not.toHaveProperty('calls');
  };
}

function checkWritten(name: string, expectation: Expectation, outcome: ModelOutcome): void {
  const check = WRITTEN[name];
  if (check === undefined) throw new Error(`no check for ${name}: read its outcome ("${expectation.outcome}") and add one`);
  check(outcome);
  if (expectation.usage !== undefined) {
    const [inputTokens, outputTokens, cachedTokens, reasoningTokens] = expectation.usage;
    expect(outcome.usage).toEqual({ state: 'known', inputTokens, outputTokens, cachedTokens, reasoningTokens });
  }
  if (expectation.tools !== undefined && outcome.kind === 'responded') {
    const calls = outcome.calls.map((call) => [call.providerCallId, call.name, JSON.parse(call.arguments) as unknown]);
    expect(calls).toEqual(expectation.tools);
  }
}

// ---------------------------------------------------------------- both ways

function events(text: string): Body {
  return { contentType: 'text/event-stream', bytes: Buffer.from(text, 'utf8') };
}

function json(text: string): Body {
  return { contentType: 'application/json', bytes: Buffer.from(text, 'utf8') };
}

/** Without HTTP, in pieces of `size` bytes. */
function readPure(body: Body, size: number): ModelOutcome {
  const reader = completionReader();
  const ring = frameRing();
  const into = bodyReader(body.contentType, reader, ring, () => undefined);
  for (let at = 0; at < body.bytes.length; at += size) {
    const end = into.push(body.bytes.subarray(at, at + size));
    if (end !== undefined) return reader.settle(end, { frames: ring.frames() });
  }
  return reader.settle(into.end(), { frames: ring.frames() });
}

describe.skipIf(!found)('shared stream cases', () => {
  let fake: FakeOpenai;
  beforeAll(async () => {
    fake = await startFakeOpenai();
  });
  afterAll(() => fake.close());

  const overHttp = (body: Body, splitAt?: readonly number[]): Promise<ModelOutcome> => {
    fake.push(raw(body.bytes, body.contentType, splitAt === undefined ? {} : { splitAt }));
    return openAiCompatibleModel({ apiKey: 'sk-case', baseUrl: fake.url }).request(modelRequest());
  };

  const facts = found ? Facts.parse(JSON.parse(readFileSync(path.join(folder, 'recorded/facts.json'), 'utf8'))) : [];
  const recorded = facts.flatMap(({ file, responses }) =>
    responses.map(({ completions: [fact] }, position) => ({ name: `${file} #${position}`, file, position, fact })),
  );

  it('every recorded file has its facts, every written one its expectation and check', () => {
    const files = readdirSync(path.join(folder, 'recorded')).filter((file) => file !== 'facts.json');
    expect(facts.map((fact) => fact.file).sort()).toEqual(files.sort());
    for (const { file, responses } of facts) expect(recordedBodies(file)).toHaveLength(responses.length);
    const streams = readdirSync(path.join(folder, 'written')).filter((file) => file.endsWith('.sse'));
    expect(streams.map((file) => file.replace('.sse', '')).sort()).toEqual(Object.keys(WRITTEN).sort());
  });

  it.each(recorded)('recorded: $name', async ({ file, position, fact }) => {
    const body = recordedBodies(file)[position];
    if (body === undefined || fact === undefined) throw new Error('no such response');
    checkFact(readPure(body, body.bytes.length), fact);
    checkFact(readPure(body, 7), fact);
    checkFact(await overHttp(body), fact);
  });

  const expected = found ? Expected.parse(JSON.parse(readFileSync(path.join(folder, 'written/expected.json'), 'utf8'))) : {};
  it.each(Object.entries(expected))('written: %s', async (name, expectation) => {
    const bytes = readFileSync(path.join(folder, 'written', `${name}.sse`));
    const body: Body = { contentType: name === 's25_html_200' ? 'text/html' : 'text/event-stream', bytes };
    checkWritten(name, expectation, readPure(body, bytes.length));
    checkWritten(name, expectation, readPure(body, 1));
    checkWritten(name, expectation, await overHttp(body));
  });

  it('written: s17 at every byte split, over HTTP too', async () => {
    const bytes = readFileSync(path.join(folder, 'written/s17_utf8_split.sse'));
    const body: Body = { contentType: 'text/event-stream', bytes };
    const expectation = expected['s17_utf8_split'] ?? { outcome: '' };
    for (let at = 1; at < bytes.length; at += 1) checkWritten('s17_utf8_split', expectation, await overHttp(body, [at]));
  }, 60_000);
});
