import { describe, expect, test } from 'vitest';
import { bodyOf, EMPTY_DRAFT, fieldOf } from './run-draft';

const draft = { ...EMPTY_DRAFT, task: 'Fix it', directory: '/srv/repo' };

describe('the body of a new run', () => {
  test('holds nothing that was left empty, and minutes as seconds', () => {
    expect(bodyOf({ ...draft, minutes: '1.5', tokens: '20,000', usd: '0.5' })).toEqual({
      ok: true,
      body: {
        task: 'Fix it',
        workspace: { directory: '/srv/repo' },
        access: 'read_write',
        policy: 'auto',
        save_history: true,
        limits: { rounds: null, tool_calls: null, wall_seconds: 90 },
        budget: { usd: 0.5, tokens: 20_000 },
      },
    });
  });
  test('names the branch only where there is one', () => {
    const git = bodyOf({ ...draft, place: 'git', git: 'https://example.org/a.git', ref: 'main' });
    expect(git).toMatchObject({ ok: true, body: { workspace: { git: 'https://example.org/a.git', ref: 'main' } } });
  });
  test.each([
    ['task', { task: ' \n' }],
    ['directory', { directory: '' }],
    ['git', { place: 'git' as const }],
    ['rounds', { rounds: '1.5' }],
    ['tokens', { tokens: '-1' }],
    ['usd', { usd: '1e9' }],
    ['minutes', { minutes: '0' }],
  ])('is not made when %s is wrong', (field, change) => {
    const answer = bodyOf({ ...draft, ...change });
    expect(answer.ok ? [] : Object.keys(answer.errors)).toEqual([field]);
  });
});

test('places in the body are fields of the form', () => {
  expect([fieldOf('/workspace', 'git'), fieldOf('/workspace/ref', 'git'), fieldOf('/budget/usd', 'git'), fieldOf('/nowhere', 'git')]).toEqual([
    'git', 'ref', 'usd', null,
  ]);
});
