import { expect, test } from 'vitest';
import { encodeFrame, ephemeralFrame, eventFrame, signalFrame } from './frame';

const AT = '2030-01-01T00:00:00.000Z';

test('an event is one message: its seq as id, the object of the log as data, no name', () => {
  const text = encodeFrame(eventFrame('run_1', { seq: 12, timestamp: AT, type: 'run.waiting', payload: { reason: 'budget' } }));
  expect(text).toBe(
    `id: 12\ndata: {"version":"1","run_id":"run_1","seq":12,"timestamp":"${AT}","type":"run.waiting","payload":{"reason":"budget"}}\n\n`,
  );
});

test('text with every kind of line break stays one line, and one message', () => {
  const text = 'a\nb\r\nc\rd\u2028e\n\ndata: forged\n\n';
  const frame = encodeFrame(eventFrame('run_1', { seq: 1, timestamp: AT, type: 'message.appended', payload: { text } }));
  expect(frame.split(/\r\n|\r|\n/)).toHaveLength(4);
  expect(JSON.parse(frame.slice(frame.indexOf('data: ') + 6))).toMatchObject({ payload: { text } });
});

test('a piece has no id, so that it moves no cursor', () => {
  const piece = { type: 'tool.output', payload: { call_id: 'call_1', stream: 'stdout', offset: 3, text: 'x' } } as const;
  const frame = ephemeralFrame('run_1', piece, new Date(AT));
  expect(frame.id).toBeUndefined();
  expect(JSON.parse(frame.data)).toEqual({ version: '1', run_id: 'run_1', timestamp: AT, ...piece });
});

test('a signal is named', () => {
  expect(encodeFrame(signalFrame('run.ended', { run_id: 'run_1', seq: 7 }))).toBe('event: run.ended\ndata: {"run_id":"run_1","seq":7}\n\n');
});
