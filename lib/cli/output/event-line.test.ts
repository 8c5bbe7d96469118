import { expect, test } from 'vitest';
import { ephemeralLine, eventLine } from './event-line';

test('a durable event is one line with exactly the fields of the contract', () => {
  const line = eventLine('run_1', { type: 'run.cancelling', payload: { by: 'local' }, seq: 12, timestamp: '2030-01-01T00:00:00.000Z' });
  expect(line).toBe('{"version":"1","run_id":"run_1","seq":12,"timestamp":"2030-01-01T00:00:00.000Z","type":"run.cancelling","payload":{"by":"local"}}\n');
});

test('an ephemeral event has no seq, and line breaks and escapes in it stay inside its line', () => {
  const line = ephemeralLine(
    'run_1',
    { type: 'model.delta', payload: { request_id: 'req_1', kind: 'text', offset: 0, text: 'a\nb\u001B[31m\u2028' } },
    new Date(0),
  );
  expect(line.split('\n')).toHaveLength(2);
  expect(line).not.toContain('\u001B');
  expect(JSON.parse(line)).toEqual({
    version: '1',
    run_id: 'run_1',
    timestamp: '1970-01-01T00:00:00.000Z',
    type: 'model.delta',
    payload: { request_id: 'req_1', kind: 'text', offset: 0, text: 'a\nb\u001B[31m\u2028' },
  });
});
