import { expect, test } from 'vitest';
import { isScripted, SCRIPTED, scriptedBy, scriptOf } from './model-name';

test('a scripted model is known by its name alone, and a provider’s is not one', () => {
  expect([SCRIPTED, scriptedBy('/a.json'), 'scripted-gpt', 'gpt-5'].map(isScripted)).toEqual([true, true, false, false]);
});

test('the script of a name is its file; no file is not an empty one', () => {
  expect([scriptedBy('/a:b.json'), 'scripted:', SCRIPTED, 'gpt-5'].map(scriptOf)).toEqual(['/a:b.json', '', null, null]);
});
