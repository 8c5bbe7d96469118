import { expect, test } from 'vitest';
import { safeCallbackUrl } from './callback-url';

test.each(['/', '/runs/run_1?tab=diff#event-7', '/a//b', '/über', '/%2F%2Fevil.example'])('%s is followed', (path) => {
  expect(safeCallbackUrl(path)).toBe(path);
});

test.each(['//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/\t/evil.example', '/\n/evil', '/a\\b', '', 'runs', ` /x`, undefined, 7, `/${'x'.repeat(3_000)}`])(
  '%j is not',
  (path) => {
    expect(safeCallbackUrl(path)).toBe('/');
  },
);
