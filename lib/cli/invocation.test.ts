import { expect, test } from 'vitest';
import { invocation } from './invocation';

test('a shown command can be copied: as npx, as an installed command, as a path', () => {
  expect(invocation('/p/lib/cli/pilothouse.mjs', { npm_command: 'exec' })).toBe('npx pilothouse');
  expect(invocation('/usr/bin/pilothouse', {})).toBe('pilothouse');
  expect(invocation('/p/lib/cli/pilothouse.mjs', {})).toBe('/p/lib/cli/pilothouse.mjs');
  expect(invocation("/my dir/it's.mjs", {})).toBe(`'/my dir/it'\\''s.mjs'`);
});
