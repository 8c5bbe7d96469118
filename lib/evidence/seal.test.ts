import { describe, expect, it } from 'vitest';
import { createSealer, SealError } from './seal';

const sealer = createSealer(Buffer.alloc(32, 7));

describe('createSealer', () => {
  it.each(['', 'plain', '漢 😀', '{"a":"\\u0000"}', 'x'.repeat(1_000_000)])('opens what it sealed', (text) => {
    expect(sealer.open(sealer.seal(text, 'call-1'), 'call-1')).toBe(text);
  });

  it('shows nothing of the text and never seals alike twice', () => {
    const one = sealer.seal('rm -rf build', 'call-1');
    expect(one.includes('build')).toBe(false);
    expect(one.equals(sealer.seal('rm -rf build', 'call-1'))).toBe(false);
  });

  it('does not open for another call', () => {
    expect(() => sealer.open(sealer.seal('x', 'call-1'), 'call-2')).toThrow(SealError);
  });

  it('does not open with another key', () => {
    expect(() => createSealer(Buffer.alloc(32, 8)).open(sealer.seal('x', 'c'), 'c')).toThrow(SealError);
  });

  it('does not open when any one byte was changed, or when it was cut', () => {
    const sealed = sealer.seal('text', 'c');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => sealer.open(altered, 'c')).toThrow(SealError);
      expect(() => sealer.open(sealed.subarray(0, index), 'c')).toThrow(SealError);
    }
  });

  it('refuses a key of another length', () => {
    expect(() => createSealer(Buffer.alloc(16))).toThrow(RangeError);
  });
});
