import { describe, expect, test } from 'vitest';
import { harmless, oneLine } from './terminal-text';

const ESC = '\u001B';

describe('text for a terminal', () => {
  test.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['cursor moves and erasing', `a${ESC}[2J${ESC}[1;1Hb`, 'ab'],
    ['a window title (OSC, ended by BEL)', `a${ESC}]0;owned\u0007b`, 'ab'],
    ['a link (OSC 8, ended by ST)', `${ESC}]8;;http://x${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['device control', `a${ESC}P1$qm${ESC}\\b`, 'ab'],
    ['8-bit control sequences', 'a\u009B31mb', 'ab'],
    ['a sequence that is not ended', `a${ESC}]52;c;AAAA`, 'a'],
    ['a lone escape at the end', `a${ESC}`, 'a'],
    ['character set switches', `a${ESC}(0b`, 'ab'],
    ['bells, backspaces, NUL and delete', 'a\u0007\b\0\u007Fb', 'ab'],
    ['carriage returns that would overwrite', 'done\rfail', 'donefail'],
    ['direction marks', 'abc\u202Edef\u2066', 'abcdef'],
  ])('has no %s', (_what, given, shown) => {
    expect(harmless(given)).toBe(shown);
  });

  test('keeps lines, tabs and every visible character', () => {
    expect(harmless('a\tb\r\nc\n→ ✓ é 漢 👩‍💻')).toBe('a\tb\nc\n→ ✓ é 漢 👩‍💻');
  });

  test('fits one line, cut between characters and marked', () => {
    expect(oneLine('a\n  b\tc', 80)).toBe('a b c');
    expect(oneLine('👍👍👍👍', 3)).toBe('👍👍…');
  });
});
