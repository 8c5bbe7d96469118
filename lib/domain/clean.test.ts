import { describe, expect, it } from 'vitest';
import { byteLength, cleanJson, cleanText, truncateBytes, truncateMiddle } from './clean';

const LIMITS = { maxDepth: 64, maxBytes: 100_000 };
const HIGH = '\uD83D';
const LOW = '\uDE00';
const ALPHABET = ['a', 'é', '漢', '😀', '\0', HIGH, LOW, '\uFFFD', '"', '\n'];

/** A small generator with a seed, so that a failure can be repeated. */
function texts(count: number): string[] {
  let state = 42;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: next(24) }, () => ALPHABET[next(ALPHABET.length)]).join(''),
  );
}

describe('cleanText', () => {
  it('gives back the same text when there is nothing to do', () => {
    expect(cleanText('plain, é, 漢, 😀')).toEqual({ text: 'plain, é, 漢, 😀', changed: false });
  });

  it('replaces NUL and lone surrogates', () => {
    expect(cleanText(`a\0b${HIGH}c${LOW}`)).toEqual({ text: 'a\uFFFDb\uFFFDc\uFFFD', changed: true });
  });

  it('leaves nothing that a store would refuse or alter, and keeps every other character', () => {
    for (const text of texts(500)) {
      const { text: clean, changed } = cleanText(text);
      expect(clean).not.toContain('\0');
      expect(Buffer.from(clean, 'utf8').toString('utf8')).toBe(clean);
      expect(clean.length).toBe(text.length);
      expect(changed).toBe(clean !== text);
      expect(cleanText(clean).changed).toBe(false);
    }
  });

  it('says that it changed when it only cut', () => {
    expect(cleanText('abcdef', { maxBytes: 3 })).toEqual({ text: 'abc', changed: true });
  });
});

describe('truncateBytes', () => {
  it('fits, cuts no character and counts what it left out, for every limit', () => {
    for (const raw of texts(200)) {
      const { text } = cleanText(raw);
      const total = Buffer.byteLength(text);
      expect(byteLength(text)).toBe(total);
      for (let limit = 0; limit <= total + 1; limit += 1) {
        const cut = truncateBytes(text, limit);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(limit);
        expect(text.startsWith(cut.text)).toBe(true);
        expect(Buffer.byteLength(cut.text) + cut.omittedBytes).toBe(total);
        expect(cut.truncated).toBe(total > limit);
        expect(cleanText(cut.text).changed).toBe(false);
        if (cut.truncated) expect(limit - Buffer.byteLength(cut.text)).toBeLessThan(4);
      }
    }
  });
});

describe('truncateMiddle', () => {
  it('keeps head and tail, fits with its notice, and counts true', () => {
    const text = '😀漢é'.repeat(200);
    const total = Buffer.byteLength(text);
    for (let limit = 0; limit <= total; limit += 7) {
      const cut = truncateMiddle(text, limit);
      expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(limit);
      expect(cleanText(cut.text).changed).toBe(false);
      const [head, tail] = cut.text.split(/\n… \d+ bytes omitted …\n/);
      expect(Buffer.byteLength(head ?? '') + Buffer.byteLength(tail ?? '') + cut.omittedBytes).toBe(total);
      expect(text.startsWith(head ?? '')).toBe(true);
      expect(text.endsWith(tail ?? '')).toBe(true);
    }
  });

  it('leaves a text that fits alone', () => {
    expect(truncateMiddle('é'.repeat(50), 100)).toEqual({ text: 'é'.repeat(50), truncated: false, omittedBytes: 0 });
  });
});

describe('cleanJson', () => {
  it('keeps plain JSON as it is', () => {
    const value = { a: [1, -2.5, 'x', null, true], b: { c: {} } };
    expect(cleanJson(value, LIMITS)).toEqual({ ok: true, value, changed: false });
  });

  it('cleans keys and values at every depth', () => {
    expect(cleanJson({ 'a\0': [{ b: `x${HIGH}` }] }, LIMITS)).toEqual({
      ok: true,
      value: { 'a\uFFFD': [{ b: 'x\uFFFD' }] },
      changed: true,
    });
  });

  it('loses no value when two keys become equal', () => {
    const cleaned = cleanJson({ 'k\0': 1, [`k${HIGH}`]: 2, 'k\uFFFD': 3, 'k\uFFFD~2': 4 }, LIMITS);
    expect(cleaned).toEqual({
      ok: true,
      value: { 'k\uFFFD': 3, 'k\uFFFD~2': 4, 'k\uFFFD~3': 1, 'k\uFFFD~4': 2 },
      changed: true,
    });
  });

  it('says null for numbers that JSON does not have, and digits for a bigint', () => {
    expect(cleanJson([NaN, Infinity, -Infinity, 2n ** 64n, 1], LIMITS)).toEqual({
      ok: true,
      value: [null, null, null, '18446744073709551616', 1],
      changed: true,
    });
  });

  it('keeps a __proto__ key as data and touches no prototype', () => {
    const cleaned = cleanJson(JSON.parse('{"__proto__":{"polluted":true},"a":1}'), LIMITS);
    expect(cleaned.ok && JSON.stringify(cleaned.value)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect(cleaned.ok && Object.getPrototypeOf(cleaned.value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reads what has a toJSON, as JSON.stringify does', () => {
    expect(cleanJson({ at: new Date(0), gone: undefined, hole: [undefined] }, LIMITS)).toEqual({
      ok: true,
      value: { at: '1970-01-01T00:00:00.000Z', hole: [null] },
      changed: true,
    });
  });

  it('never throws, and says why not', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = [cyclic];
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
    const throwing = {
      get trap(): never {
        throw new Error('no');
      },
    };
    const proxy = new Proxy({}, { ownKeys: () => { throw new Error('no'); } });
    const endless: Record<string, unknown> = { toJSON: () => ({ toJSON: 1, next: endless }) };

    expect(cleanJson(cyclic, LIMITS)).toEqual({ ok: false, reason: 'cyclic' });
    expect(cleanJson(deep, LIMITS)).toEqual({ ok: false, reason: 'too_deep' });
    expect(cleanJson(deep, { maxDepth: 1e9, maxBytes: 1e9 })).toEqual({ ok: false, reason: 'too_deep' });
    expect(cleanJson(throwing, LIMITS)).toEqual({ ok: false, reason: 'unreadable' });
    expect(cleanJson(proxy, LIMITS)).toEqual({ ok: false, reason: 'unreadable' });
    expect(cleanJson(endless, LIMITS)).toEqual({ ok: false, reason: 'too_deep' });
    expect(cleanJson(new Array(4e9), LIMITS)).toEqual({ ok: false, reason: 'too_large' });
    expect(cleanJson('x'.repeat(200_000), LIMITS)).toEqual({ ok: false, reason: 'too_large' });
    for (const nothing of [undefined, () => 1, Symbol('s')]) {
      expect(cleanJson(nothing, LIMITS)).toEqual({ ok: false, reason: 'not_json' });
    }
  });

  it('allows a value twice that is not its own ancestor', () => {
    const shared = { a: 1 };
    expect(cleanJson([shared, shared], LIMITS)).toMatchObject({ ok: true, changed: false });
  });

  it('holds the byte limit exactly, escapes included', () => {
    for (const text of texts(200)) {
      const whole = cleanJson({ [`k${text}`]: text }, LIMITS);
      if (!whole.ok) throw new Error(whole.reason);
      const bytes = Buffer.byteLength(JSON.stringify(whole.value));
      expect(cleanJson({ [`k${text}`]: text }, { maxDepth: 1, maxBytes: bytes }).ok).toBe(true);
      expect(cleanJson({ [`k${text}`]: text }, { maxDepth: 1, maxBytes: bytes - 1 })).toEqual({
        ok: false,
        reason: 'too_large',
      });
    }
  });
});
