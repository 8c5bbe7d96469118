import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from '@/lib/config/configuration-error';
import { loadPrices, priceOf } from './prices';
import { openModel } from './registry';

const folder = mkdtempSync(path.join(tmpdir(), 'prices-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function fileWith(content: string): string {
  const file = path.join(folder, 'prices.json');
  writeFileSync(file, content);
  return file;
}

describe('prices', () => {
  it('of an unknown model are unknown, not 0', () => {
    for (const model of ['my-model', '', 'constructor', 'gpt-5-mini-turbo', 'vendor/gpt-5']) expect(priceOf(model)).toBeNull();
    expect(priceOf('gpt-5-mini')).toEqual({ input: 0.25, cachedInput: 0.025, output: 2 });
  });

  it('from a file go before the built-in ones', () => {
    const table = loadPrices(fileWith('{"my-model":{"input":1,"output":2},"gpt-5":{"input":9,"cached_input":1,"output":9}}'));
    expect(priceOf('my-model', table)).toEqual({ input: 1, cachedInput: 1, output: 2 });
    expect(priceOf('gpt-5', table)?.input).toBe(9);
    expect(priceOf('gpt-5-mini', table)).not.toBeNull();
  });

  it.each(['[', '[]', '{"m":{"input":-1,"output":1}}', '{"m":{"input":1}}', '{"m":{"input":1,"output":1,"chached_input":1}}', '{"m":{"input":"1","output":1}}'])(
    'that are not valid stop the start: %s',
    (content) => {
      expect(() => loadPrices(fileWith(content))).toThrow(ConfigurationError);
    },
  );

  it('in a file that is not there stop the start', () => {
    expect(() => loadPrices(path.join(folder, 'none.json'))).toThrow(/PILOTHOUSE_PRICES names .*none\.json/);
  });
});

describe('openModel', () => {
  it('takes an endpoint when a key or an address is given, else the script', () => {
    expect(openModel({ apiKey: 'k' })).toMatchObject({ kind: 'openai_compatible' });
    expect(openModel({ baseUrl: 'http://127.0.0.1:1/v1' })).toMatchObject({ kind: 'openai_compatible' });
    expect(openModel({ apiKey: '', baseUrl: ' ' })).toMatchObject({ kind: 'scripted' });
  });

  it('describes itself without any secret', () => {
    const opened = openModel({ apiKey: 'sk-secret', baseUrl: 'https://user:pass@example.org/v1/?token=t', model: 'm' });
    expect(opened.describe()).toBe('m at https://example.org/v1');
    expect(openModel({}).describe()).toContain('scripted');
  });

  it('has a price only for what it knows', () => {
    expect(openModel({ apiKey: 'k' }).price('my-model')).toBeNull();
    expect(openModel({ apiKey: 'k', prices: new Map([['my-model', { input: 1, cachedInput: 1, output: 1 }]]) }).price('my-model')).not.toBeNull();
    expect(openModel({ apiKey: 'k' }).unfinished(0)).toBeNull();
  });
});
