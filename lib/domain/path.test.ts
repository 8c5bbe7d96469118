import { describe, expect, it } from 'vitest';
import { normalisePath } from './path';

describe('a path as events name it', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src//a.ts', 'src/a.ts'],
    ['src/./b/../a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['src/', 'src'],
    ['.', ''],
    ['', ''],
    ['a/..', ''],
    ['Ünï code/ä.ts', 'Ünï code/ä.ts'],
  ])('%j is %j', (given, expected) => {
    expect(normalisePath(given)).toBe(expected);
  });

  it.each([
    ['../a.ts', '../a.ts'],
    ['a/../../b', '../b'],
    ['../../x', '../../x'],
  ])('a way out of the workspace stays visible: %j', (given, expected) => {
    expect(normalisePath(given)).toBe(expected);
  });

  it('an absolute path is not the relative one of the same name', () => {
    expect(normalisePath('/etc/hosts')).toBe('/etc/hosts');
    expect(normalisePath('//etc/./hosts')).toBe('/etc/hosts');
  });

  it('normalising twice changes nothing', () => {
    for (const path of ['/a//b/..', './x/../../y', '..\\z', 'a']) expect(normalisePath(normalisePath(path))).toBe(normalisePath(path));
  });
});
