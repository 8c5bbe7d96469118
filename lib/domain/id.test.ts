import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isId, makeId, type IdPrefix } from './id';

const random = (): number => randomInt(2 ** 32) / 2 ** 32;
const PREFIXES: Record<IdPrefix, true> = {
  ses: true, trn: true, run: true, tsk: true, req: true, call: true, apr: true, blk: true, not: true,
  evd: true, bud: true, cmd: true, prj: true, usr: true, tok: true, wsp: true, aud: true,
};
const prefixes = Object.keys(PREFIXES) as IdPrefix[];

describe('an id', () => {
  it.each(prefixes)('%s_ is recognised by its own prefix and by no other', (prefix) => {
    const id = makeId(prefix, 1_700_000_000_000, random);
    expect(id).toMatch(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`));
    expect(prefixes.filter((other) => isId(other, id))).toEqual([prefix]);
  });

  it('sorts by time as text', () => {
    const times = [0, 1, 999, 1_700_000_000_000, 1_700_000_000_001, 2 ** 45];
    const ids = times.map((time) => makeId('run', time, random));
    expect([...ids].reverse().sort()).toEqual(ids);
  });

  it('is another one each time, in the same millisecond too', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => makeId('call', 5, random))).size).toBe(10_000);
  });

  it('is the same for the same time and the same randomness', () => {
    expect(makeId('run', 5, () => 0.25)).toBe(makeId('run', 5, () => 0.25));
  });

  it.each([null, undefined, 5, {}, '', 'run_', 'run_short', `run_${'0'.repeat(27)}`, `run_${'I'.repeat(26)}`, `run_${'a'.repeat(26)}`, `run_${'0'.repeat(26)}\n`, `RUN_${'0'.repeat(26)}`])(
    'from outside, %j is none',
    (value) => {
      expect(isId('run', value)).toBe(false);
    },
  );
});
