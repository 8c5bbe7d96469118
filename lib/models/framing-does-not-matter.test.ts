import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '@/lib/agent/ports';
import { call, delta, DONE, end, readStream, streamOf, text, USAGE } from './testing/read-stream';

const stream = streamOf(
  ': a comment first\n\n',
  delta({ role: 'assistant', content: '', reasoning_content: 'Ich überlege … ' }),
  delta({ reasoning: '続けて' }),
  text('naïve 🧭 '),
  text('中文 done'),
  call(0, { id: 'a', name: 'read', arguments: '{"path":"ü"}' }),
  end('tool_calls'),
  { id: 'another', choices: [], usage: USAGE },
  DONE,
);
const whole = readStream(stream);

describe('the same answer comes out', () => {
  it('as it should', () => {
    expect(whole).toEqual({
      kind: 'responded',
      text: 'naïve 🧭 中文 done',
      reasoning: 'Ich überlege … 続けて',
      calls: [{ providerCallId: 'a', name: 'read', arguments: '{"path":"ü"}' }],
      finishReason: 'tool_calls',
      usage: { state: 'known', inputTokens: 10, outputTokens: 4, cachedTokens: 0, reasoningTokens: 0 },
      providerRequestId: 'c1',
    });
  });

  const framings: readonly (readonly [string, string])[] = [
    ['LF', stream],
    ['CRLF', stream.replaceAll('\n', '\r\n')],
    ['CR', stream.replaceAll('\n', '\r')],
    ['a BOM', `\ufeff${stream}`],
    ['a BOM and CRLF', `\ufeff${stream.replaceAll('\n', '\r\n')}`],
    ['no space after the colon', stream.replaceAll('data: ', 'data:')],
    ['comments, ids, retries and empty events between', stream.replaceAll('data: {', ': ping\nid: 7\nretry: 10\ndata: {').replaceAll('\n\n', '\n\n\n')],
    ['named events', stream.replaceAll('data: {', 'event: message\ndata: {')],
    ['JSON over two data lines', stream.replaceAll('"choices"', '\ndata: "choices"')],
  ];
  it.each(framings)('with %s, in pieces of any size', (_name, framed) => {
    for (const size of [1, 2, 3, 5, 64, framed.length * 4]) expect(readStream(framed, { size })).toEqual(whole);
  });

  it('split in two at any byte', () => {
    const bytes = Buffer.from(stream.replaceAll('\n', '\r\n'), 'utf8');
    for (let size = 1; size < bytes.length; size += 1) expect(readStream(bytes, { size })).toEqual(whole);
  });

  it.each(['text/html; charset=utf-8', 'application/json', 'text/plain', null])('labelled %s', (contentType) => {
    expect(readStream(stream, { contentType, size: 1 })).toEqual(whole);
    expect(readStream(stream.replace(': a comment first\n\n', ''), { contentType, size: 1 })).toEqual(whole);
  });
});

describe('what a watcher sees', () => {
  it('adds up to the answer, in order', () => {
    const deltas: ModelDelta[] = [];
    readStream(stream, { deltas, size: 3 });
    const joined = (kind: ModelDelta['kind']): string => deltas.filter((piece) => piece.kind === kind).map((piece) => piece.text).join('');
    expect(joined('text')).toBe('naïve 🧭 中文 done');
    expect(joined('reasoning')).toBe('Ich überlege … 続けて');
    expect(deltas.every((piece) => piece.text !== '')).toBe(true);
  });
});

describe('an endpoint that ignores `stream`', () => {
  const body = {
    id: 'c9',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hello', reasoning_content: 'hm' }, finish_reason: 'stop' }],
    usage: USAGE,
  };

  it.each(['application/json', 'text/event-stream', 'text/plain', null])('is read as one answer, labelled %s', (contentType) => {
    for (const prefix of ['', '\ufeff', ' \n']) {
      expect(readStream(`${prefix}${JSON.stringify(body, null, 2)}`, { contentType, size: 1 })).toMatchObject({
        kind: 'responded',
        text: 'hello',
        reasoning: 'hm',
        finishReason: 'stop',
        usage: { state: 'known', inputTokens: 10 },
        providerRequestId: 'c9',
      });
    }
  });

  it('is an answer without a finish_reason when it is whole', () => {
    const choices = [{ message: { content: 'hello' } }];
    expect(readStream(JSON.stringify({ choices }), { contentType: 'application/json' })).toMatchObject({ kind: 'responded', finishReason: 'unknown' });
  });
});

describe('choices', () => {
  it('other than 0 are not read, wherever they stand', () => {
    const two = { choices: [{ index: 1, delta: { content: 'ONE' }, finish_reason: 'length' }, { index: 0, delta: { content: 'zero' } }] };
    const other = { choices: [{ index: 1, delta: { content: 'ONE', tool_calls: [{ index: 0, function: { name: 'x' } }] } }] };
    expect(readStream(streamOf(two, other, end('stop')))).toMatchObject({ text: 'zero', calls: [], finishReason: 'stop' });
  });

  it('of strange shapes add nothing and break nothing', () => {
    const strange = [{ choices: null }, { choices: 'x' }, { choices: [null] }, { choices: [{ index: 0, delta: 3 }] }, { type: 'ping' }, delta({ content: 7 })];
    expect(readStream(streamOf(...strange, text('ok'), end('stop')))).toMatchObject({ kind: 'responded', text: 'ok' });
  });

  it('may hold content in parts, or a refusal', () => {
    const parts = delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }, { type: 'text', text: 'yes' }] });
    expect(readStream(streamOf(parts, end('stop')))).toMatchObject({ text: 'yes', reasoning: 'hm' });
    expect(readStream(streamOf(delta({ content: null, refusal: 'I will not.' }), end('stop')))).toMatchObject({ text: 'I will not.' });
  });

  it('with both reasoning fields hold it once', () => {
    expect(readStream(streamOf(delta({ reasoning: 'a', reasoning_content: 'a' }), text('x'), end('stop')))).toMatchObject({ reasoning: 'a' });
  });
});
