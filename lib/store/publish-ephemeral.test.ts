import { expect, test } from 'vitest';
import type { EphemeralEvent } from '@/lib/domain/run/ephemeral';
import { payloadsOf, publishEphemeral, readPieces, type Piece } from './publish-ephemeral';
import type { Sql } from './sql';

const delta = (offset: number, text: string): EphemeralEvent => ({
  type: 'model.delta',
  payload: { request_id: 'req_1', kind: 'text', offset, text },
});
const joined = (pieces: readonly Piece[]): string => pieces.map(({ event }) => event.payload.text).join('');

test.each([
  ['plain text', 'a'.repeat(40_000)],
  ['text that JSON escapes', '\u0001"\\\n'.repeat(5_000)],
  ['pairs of surrogates, odd and even', `x${'🦊'.repeat(9_000)}`],
])('%s is split below the limit, whole, at characters, with true offsets', (_name, text) => {
  const payloads = payloadsOf([{ runId: 'run_1', event: delta(7, text) }]);
  const pieces = payloads.flatMap(readPieces);
  expect(payloads.length).toBeGreaterThan(1);
  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
  expect(joined(pieces)).toBe(text);
  let offset = 7;
  for (const { event } of pieces) {
    expect(event.payload.offset).toBe(offset);
    expect(event.payload.text).not.toMatch(/\p{Surrogate}/u);
    offset += event.payload.text.length;
  }
});

test('many small pieces share a payload, and a line that nobody understands is left out', () => {
  const pieces = Array.from({ length: 20 }, (_, index) => ({ runId: `run_${index}`, event: delta(0, 'word') }));
  const [payload = '', ...rest] = payloadsOf(pieces);
  expect(rest).toEqual([]);
  expect(readPieces(`{"runId":1}\nnonsense\n${payload}`)).toEqual(pieces);
});

test('a database that does not answer costs pieces and nothing else: what waits is bounded, the offsets tell', async () => {
  const sent: string[][] = [];
  let answer: () => void = () => undefined;
  const sql: Sql = {
    rows: async (_row, _text, ...values) => {
      sent.push(values[0] as string[]);
      await new Promise<void>((resolve) => (answer = resolve));
      throw new Error('gone');
    },
  };
  const publisher = publishEphemeral(sql);
  publisher.publish('run_1', delta(0, 'first'));
  await expect.poll(() => sent.length).toBe(1);
  const piece = 'x'.repeat(1_000);
  for (let index = 0; index < 1_000; index += 1) publisher.publish('run_1', delta(5 + index * 1_000, piece));
  answer();
  await expect.poll(() => sent.length).toBe(2);
  const later = (sent[1] ?? []).flatMap(readPieces);
  expect(joined(later).length).toBe(262_000);
  expect(later[0]?.event.payload.offset).toBe(5);
  publisher.publish('run_1', delta(1_000_005, 'after'));
  answer();
  await expect.poll(() => sent.length).toBe(3);
  expect((sent[2] ?? []).flatMap(readPieces)).toEqual([{ runId: 'run_1', event: delta(1_000_005, 'after') }]);
  answer();
  await publisher.close();
});
