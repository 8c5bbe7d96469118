import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { streamOutput } from './text-output';

/** Takes what is written only when told to. */
function slowStream() {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      waiting.push(() => {
        taken.push(chunk);
        done();
      });
    },
  });
  return { stream, taken, takeOne: () => waiting.shift()?.() };
}

describe('an output', () => {
  test('keeps what a slow reader has not taken, and is flushed only then', async () => {
    const { stream, taken, takeOne } = slowStream();
    const output = streamOutput(stream);
    output.write('a');
    output.write('b');
    let flushed = false;
    const flushing = output.flushed().then(() => (flushed = true));
    takeOne();
    await new Promise(setImmediate);
    expect([flushed, taken]).toEqual([false, ['a']]);
    takeOne();
    await flushing;
    expect(taken).toEqual(['a', 'b']);
  });

  test('of a reader that has gone is dropped, without a failure and without an end of waiting', async () => {
    const failures: Error[] = [];
    const { stream } = slowStream();
    const output = streamOutput(stream, (error) => failures.push(error));
    output.write('a');
    stream.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    await output.flushed();
    output.write('b');
    await output.flushed();
    expect([output.backlog, failures]).toEqual([0, []]);
  });

  test('says once that a disk is full', async () => {
    const failures: string[] = [];
    const { stream } = slowStream();
    const output = streamOutput(stream, (error) => failures.push(error.message));
    output.write('a');
    stream.destroy(Object.assign(new Error('disk full'), { code: 'ENOSPC' }));
    await output.flushed();
    expect(failures).toEqual(['disk full']);
  });
});
