import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { readEnvironment } from '@/lib/config/environment';
import { openModels } from './open-models';

const models = openModels({ configuration: readEnvironment({}, { packageRoot: tmpdir(), cwd: tmpdir() }) });

describe('the price of', () => {
  test.each(['scripted', 'scripted:/srv/script.json'])('%s is known, and nothing', (name) => {
    expect(models.price(name)).toEqual({ input: 0, cachedInput: 0, output: 0 });
  });
  test.each(['scripted-by-somebody', 'never-heard-of'])('%s is not known, which is not free', (name) => {
    expect(models.price(name)).toBeNull();
  });
});
