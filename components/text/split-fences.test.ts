import { expect, test } from 'vitest';
import { splitFences } from './split-fences';

test('code stands apart, and nothing is lost but the fences', () => {
  expect(splitFences('see\n```ts\nconst a = 1;\n```\nthen')).toEqual([
    { kind: 'prose', text: 'see' },
    { kind: 'code', text: 'const a = 1;' },
    { kind: 'prose', text: 'then' },
  ]);
  expect(splitFences('streaming\n```\nhalf')).toEqual([
    { kind: 'prose', text: 'streaming' },
    { kind: 'code', text: 'half' },
  ]);
  expect(splitFences('<img src=x onerror=alert(1)>')).toEqual([{ kind: 'prose', text: '<img src=x onerror=alert(1)>' }]);
});
