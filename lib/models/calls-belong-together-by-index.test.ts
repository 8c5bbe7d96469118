import { describe, expect, it } from 'vitest';
import type { RequestedCall } from '@/lib/agent/ports';
import { call, delta, end, readStream, streamOf } from './testing/read-stream';

function callsOf(...chunks: readonly object[]): readonly RequestedCall[] {
  const outcome = readStream(streamOf(...chunks, end('tool_calls')));
  if (outcome.kind !== 'responded') throw new Error(JSON.stringify(outcome));
  return outcome.calls;
}

describe('pieces of calls', () => {
  it('of two calls may come in any order', () => {
    expect(
      callsOf(
        call(1, { id: 'b', name: 'grep', arguments: '{"pat' }),
        call(0, { id: 'a', name: 'read', arguments: '' }),
        call(1, { arguments: 'tern":1}' }),
        call(0, { arguments: '{}' }),
      ),
    ).toEqual([
      { providerCallId: 'a', name: 'read', arguments: '{}' },
      { providerCallId: 'b', name: 'grep', arguments: '{"pattern":1}' },
    ]);
  });

  it('keep the first id and name that are not empty, and never add to them', () => {
    expect(
      callsOf(
        call(0, { id: '', name: null, arguments: '{' }),
        call(0, { id: 'first', name: 'read', arguments: '' }),
        call(0, { id: 'second', name: 'read', arguments: '}' }),
        call(0, { id: '', name: '', arguments: '' }),
      ),
    ).toEqual([{ providerCallId: 'first', name: 'read', arguments: '{}' }]);
  });

  it.each(['', null, undefined])('with arguments %j mean {}', (given) => {
    expect(callsOf(call(0, { id: 'a', name: 'list', arguments: given }))).toEqual([{ providerCallId: 'a', name: 'list', arguments: '{}' }]);
  });

  it('with arguments that are an object are that object', () => {
    expect(callsOf(call(0, { id: 'a', name: 'read', arguments: { path: 'x' } }))[0]?.arguments).toBe('{"path":"x"}');
  });

  it('with arguments that are no JSON come as they are: the tool refuses them', () => {
    expect(callsOf(call(0, { id: 'a', name: 'read', arguments: '{"path":' }))[0]?.arguments).toBe('{"path":');
  });

  it('without an index belong together by id, and without both to the last', () => {
    expect(
      callsOf(
        call(undefined, { id: 'a', name: 'read', arguments: '{"p":' }),
        call(undefined, { arguments: '1}' }),
        call(undefined, { id: 'b', name: 'grep', arguments: '{}' }),
        call(undefined, { id: 'a', arguments: ' ' }),
      ),
    ).toEqual([
      { providerCallId: 'a', name: 'read', arguments: '{"p":1} ' },
      { providerCallId: 'b', name: 'grep', arguments: '{}' },
    ]);
  });

  it('that hold nothing are no call', () => {
    expect(callsOf(call(0, { id: 'a', name: 'read' }), call(1, { id: '', name: '', arguments: '' }))).toHaveLength(1);
    expect(callsOf(delta({ tool_calls: null }), delta({ tool_calls: [null, 3] }))).toEqual([]);
  });

  it('in a whole answer are apart, though they all have the index 0', () => {
    const tool_calls = ['a', 'b'].map((name) => ({ index: 0, function: { name, arguments: '{}' } }));
    const body = JSON.stringify({ choices: [{ message: { tool_calls }, finish_reason: 'tool_calls' }] });
    expect(readStream(body, { contentType: 'application/json' })).toMatchObject({ calls: [{ name: 'a', providerCallId: '' }, { name: 'b' }] });
  });

  it('run whatever finish_reason comes with them, except a cut or a filter', () => {
    const calling = call(0, { id: 'a', name: 'read' });
    for (const reason of ['stop', 'tool_calls', 'function_call']) {
      expect(readStream(streamOf(calling, end(reason)))).toMatchObject({ kind: 'responded', calls: [{ name: 'read' }] });
    }
    expect(readStream(streamOf(calling, end('length')))).toMatchObject({ kind: 'responded', calls: [], finishReason: 'length' });
    expect(readStream(streamOf(calling, end('content_filter')))).toMatchObject({ kind: 'failed', failure: { class: 'content_filter' } });
  });
});
