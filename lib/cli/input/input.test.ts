import { mkdtempSync, rmSync, symlinkSync, writeFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '@/lib/config/environment';
import { NO_LIMITS } from '@/lib/domain/run/settings';
import { limitsFrom } from './limits';
import { messageText } from './message-text';
import { chooseModel } from './model-choice';
import { commandId, listLength, microUsd, seconds, wholeNumber } from './option-values';
import { workingDirectory } from './working-directory';

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'pilothouse-input-')));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('numbers', () => {
  test.each(['0', '-1', '1.5', 'NaN', 'Infinity', '1e99', '0x10', '', ' 1', '9007199254740992', '1_000'])('%j is no whole number', (text) => {
    expect(() => wholeNumber(text)).toThrow('whole number');
  });
  test.each(['0', '-0.5', 'NaN', '1e99', '', '.', '1.', '0.0000001', '1000000001', '1,5'])('%j is no amount of USD', (text) => {
    expect(() => microUsd(text)).toThrow('USD');
  });
  test.each(['0', '-1', 'NaN', '1e9', '', '1000000001'])('%j is no time', (text) => {
    expect(() => seconds(text)).toThrow('seconds');
  });
  test('valid ones keep their value', () => {
    expect([wholeNumber('9007199254740991'), microUsd('0.29'), microUsd('12'), seconds('1.5'), listLength('200')]).toEqual([
      Number.MAX_SAFE_INTEGER,
      290_000,
      12_000_000,
      1.5,
      200,
    ]);
    expect(() => listLength('201')).toThrow('at most');
  });
  test('a command id is visible and short', () => {
    expect(commandId('ci-42/deploy')).toBe('ci-42/deploy');
    for (const bad of ['', 'a b', 'a\nb', 'é', 'x'.repeat(201)]) expect(() => commandId(bad)).toThrow('visible');
  });
});

describe('a task', () => {
  test.each([undefined, '', '  \n\t', '\u200B\u00A0', 'a\0b', 'x'.repeat(1_048_577)])('%# is refused with 64', (text) => {
    expect(() => messageText(text, 'task')).toThrow(expect.objectContaining({ exitCode: 64 }) as Error);
  });
  test('keeps every character', () => {
    expect(messageText(' fix it\n', 'task')).toBe(' fix it\n');
  });
});

describe('--cwd', () => {
  test('is made canonical', () => {
    symlinkSync(home, path.join(home, 'link'));
    expect(workingDirectory('link', home)).toBe(home);
    expect(workingDirectory(undefined, path.join(home, 'link'))).toBe(home);
  });
  test.each(['', 'missing', 'file', 'file/below', 'a\0b'])('%j is refused with 64', (given) => {
    writeFileSync(path.join(home, 'file'), '');
    expect(() => workingDirectory(given, home)).toThrow(expect.objectContaining({ exitCode: 64 }) as Error);
  });
});

describe('the model', () => {
  const configured = (env: Record<string, string>) => readEnvironment(env, { packageRoot: home, cwd: home }).model;
  test('needs an endpoint and a name', () => {
    expect(() => chooseModel({}, configured({}), home)).toThrow('no model is configured');
    expect(() => chooseModel({ model: 'm' }, configured({}), home)).toThrow('no model is configured');
    expect(() => chooseModel({}, configured({ OPENAI_API_KEY: 'k' }), home)).toThrow('no model is named');
    expect(() => chooseModel({ model: ' ' }, configured({ OPENAI_API_KEY: 'k' }), home)).toThrow('empty');
  });
  test('is what the flags say, then what the environment says', () => {
    const env = configured({ OPENAI_BASE_URL: 'http://localhost:1', PILOTHOUSE_MODEL: 'from-env' });
    expect(chooseModel({}, env, home)).toEqual({ name: 'from-env' });
    expect(chooseModel({ model: 'm', baseUrl: 'http://x' }, configured({}), home)).toEqual({ name: 'm', baseUrl: 'http://x' });
  });
  test('scripted:FILE names a script that is there', () => {
    writeFileSync(path.join(home, 'script.json'), '[]');
    expect(chooseModel({ model: 'scripted:script.json' }, configured({}), home)).toEqual({ name: `scripted:${home}/script.json` });
    expect(() => chooseModel({ model: 'scripted:none.json' }, configured({}), home)).toThrow('cannot be read');
    expect(() => chooseModel({ model: 'scripted:' }, configured({}), home)).toThrow('names no file');
  });
});

test('nothing is limited that nobody limited, and a resume keeps what it does not name', () => {
  expect(limitsFrom({})).toEqual(NO_LIMITS);
  expect(limitsFrom({ maxTurns: 3 }, { ...NO_LIMITS, tokens: 9, rounds: 1 })).toEqual({ ...NO_LIMITS, tokens: 9, rounds: 3 });
});
