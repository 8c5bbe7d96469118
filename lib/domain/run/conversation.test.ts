import { describe, expect, it } from 'vitest';
import { call, command, done, empty, outcome, play, refused, request, respond, round, running, start, write, type Played } from '@/lib/testing/play-run';
import { NO_OTHERS } from './complete';

const last = ({ messages }: Played): unknown => messages.at(-1);
const inFlight = play(round(running(), '1', command('a')), start('a'));

describe('the conversation', () => {
  it('begins with the goal, in the user’s seat', () => {
    expect(running().messages).toEqual([{ role: 'user', origin: 'goal', text: 'do it' }]);
  });

  it('keeps the ids that the provider gave, in the call and in its result', () => {
    const ended = play(inFlight, done('a'));
    expect(ended.messages.at(-2)).toEqual({
      role: 'assistant', text: '', calls: [{ callId: 'call_a', providerCallId: 'p-a', name: 'run_command', arguments: '{}' }],
    });
    expect(last(ended)).toEqual({ role: 'tool', callId: 'call_a', providerCallId: 'p-a', text: 'ok' });
  });

  it.each<[string, Played, RegExp]>([
    ['an exit code', play(inFlight, done('a', { exitCode: 3, output: 'boom' })), /^exit code 3\nboom$/],
    ['a failure with its code and what was seen', play(inFlight, outcome('a', { kind: 'failed', code: 'aborted', message: 'stopped', output: 'half' })), /^error aborted: stopped\nhalf$/],
    ['a refusal before the effect', play(round(running(), '1', write('a')), refused('a')), /^error read_only_workspace: refused$/],
    ['a denial with its rule', round(running(), '1', write('a', { decision: { verdict: 'deny', rule: 'policy_read_only' } })), /^denied by policy_read_only$/],
    ['that nobody could approve', round(running(), '1', write('a', { decision: { verdict: 'ask', rule: 'policy_ask' } })), /^error permission_denied: .*policy_ask/],
    ['an outcome that is not known', play(inFlight, outcome('a', { kind: 'unknown', reason: 'killed', output: 'half' })), /^outcome unknown: .*\(killed\).*check before you repeat it\.\nhalf$/],
    ['a call that never began', play(round(running(), '1', write('a')), { type: 'expire_lease', others: NO_OTHERS }), /^withdrawn: .*\(lease_expired\)$/],
  ])('tells the model %s', (_what, played, text) => {
    expect(last(played)).toMatchObject({ role: 'tool', callId: 'call_a', providerCallId: 'p-a', text: expect.stringMatching(text) as string });
  });

  it('is only ever appended to: each step’s messages begin with those before it', () => {
    const steps = [running(), inFlight, play(inFlight, done('a')), play(inFlight, done('a'), request('2'), respond('2', { text: 'done' }))];
    steps.slice(1).forEach((step, index) => {
      const before = steps[index]?.messages ?? [];
      expect(step.messages.slice(0, before.length)).toEqual(before);
      expect(step.messages.length).toBeGreaterThan(before.length);
    });
  });

  it('does not hold what is no response: failures, requests, usage', () => {
    expect(play(running(), request('1'), empty('1'), request('2', 'recovery')).messages).toEqual(running().messages);
  });

  it('answers calls that ran in any order, each once', () => {
    const both = play(round(running(), '1', call('a'), call('b')), start('a'), start('b'), done('b'), done('a'));
    expect(both.messages.filter((message) => message.role === 'tool').map((message) => message.callId)).toEqual(['call_b', 'call_a']);
  });
});
