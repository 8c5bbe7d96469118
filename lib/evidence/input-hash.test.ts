import { describe, expect, it } from 'vitest';
import { inputHash } from './input-hash';

const KEY = Buffer.alloc(32, 1);

describe('inputHash', () => {
  it('is equal for equal input, whatever the order of keys', () => {
    expect(inputHash(KEY, { path: 'a', text: 'b' })).toBe(inputHash(KEY, { text: 'b', path: 'a' }));
  });

  it('differs by input and by key', () => {
    expect(inputHash(KEY, { path: 'a' })).not.toBe(inputHash(KEY, { path: 'b' }));
    expect(inputHash(KEY, 'a')).not.toBe(inputHash(Buffer.alloc(32, 2), 'a'));
  });
});
