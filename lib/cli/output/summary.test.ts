import { describe, expect, test } from 'vitest';
import { NO_OTHERS } from '@/lib/domain/run/complete';
import type { SummaryRun } from './summary';
import { summaryLines } from './summary';

const ENDED: SummaryRun = {
  id: 'run_1',
  session_id: 'ses_1',
  status: 'succeeded',
  exit_code: 0,
  terminal: { succeeded: {} },
  writes_applied: true,
  writes_unknown: 0,
  effects: { commands: 2, external: 0 },
  done: { work: 'yes', verified: 'passed', delivered: 'yes' },
  objections: [],
  verification: { state: 'passed', command: 'npm test', exit_code: 0 },
  usage: { ...NO_OTHERS.usage, input_tokens: 1000, output_tokens: 200, cached_tokens: 250, total_tokens: 1200, cost_micro_usd: 12_300, cost_usd: 0.0123 },
  tool_calls: { completed: 3, failed: 1, denied: 0, unknown: 0, withdrawn: 0 },
};
const text = (run: Partial<SummaryRun>, resumable = true): string =>
  summaryLines({ ...ENDED, ...run }, { resumable, program: 'npx pilothouse' })
    .map((line) => line.text)
    .join('\n');

describe('the closing summary', () => {
  test('keeps the three signals apart and says what each does not prove', () => {
    expect(text({})).toBe(
      [
        'status        ✓ succeeded (exit 0): the agent delivered an answer and the record has nothing hard against it; not a proof that every requirement is met',
        'writes        applied; not a proof of a net change on disk, or of a right one',
        'verification  passed `npm test`; not a proof of what it does not check',
        'done          work yes · verified passed · delivered yes',
        'commands      2 commands run',
        'tool calls    3 completed · 1 failed',
        'usage         1,000 in (250 cached, 25 %) + 200 out = 1,200 tokens · cost $0.0123',
        'next          say something:  npx pilothouse exec resume ses_1 "…"',
        '              see it again:   npx pilothouse show run_1',
      ].join('\n'),
    );
  });

  test('warns of changes by commands only where commands ran', () => {
    expect(text({ writes_applied: false })).toContain('none recorded; commands may have changed files all the same');
    const idle = { writes_applied: false, effects: { commands: 0, external: 0 } };
    expect(text(idle)).toContain('none recorded; commands');
    expect(text({ ...idle, verification: { state: 'not_configured' } })).toContain('writes        none recorded\n');
  });

  test('never calls an unknown cost or usage nothing', () => {
    const usage = { ...ENDED.usage, cost_micro_usd: 0, cost_usd: 0, unpriced_requests: 2, unknown_requests: 1 };
    expect(text({ usage })).toContain('cost unknown · usage of 1 request unknown, which is not 0');
    expect(text({ usage: { ...usage, cost_micro_usd: 500_000 } })).toContain('cost $0.5000 and an unknown part');
  });

  test('says why, and how to go on, for a run that can', () => {
    const paused = text({ status: 'paused', exit_code: 4, terminal: { paused: { reason: 'limit', resumable: true, message: 'The limit of 2 rounds is reached.' } } });
    expect(paused).toContain('‖ paused (exit 4): limit: The limit of 2 rounds is reached.');
    expect(paused).toContain('go on:          npx pilothouse exec resume ses_1\n');
  });

  test('offers no resume where the history is not kept', () => {
    const paused = text({ status: 'paused', terminal: { paused: { reason: 'limit', resumable: false } } }, false);
    expect(paused).not.toContain('exec resume');
    expect(paused).toContain('cannot be resumed');
  });

  test('shows a blocker with its question and choices', () => {
    const blocker = { blocker_id: 'blk_1', kind: 'user_decision' as const, summary: 'Two ways\u001B[2J', evidence: [], question: 'Which?', choices: ['a', 'b'] };
    const blocked = text({ status: 'blocked', exit_code: 5, terminal: { blocked: { blocker } } });
    expect(blocked).toContain('■ blocked (exit 5): user_decision: Two ways');
    expect(blocked).toContain('question      Which?\nchoices       a\n              b');
    expect(blocked).not.toContain('\u001B');
  });

  test('names calls whose effect is unknown, and proposes no resume over them', () => {
    const interrupted = text({ status: 'interrupted', exit_code: 6, terminal: { interrupted: { unknown_calls: ['call_1'] } } });
    expect(interrupted).toContain('what these calls did is unknown: call_1');
    expect(interrupted).not.toContain('exec resume');
  });

  test('says every objection in words', () => {
    const objections: SummaryRun['objections'] = [
      { severity: 'hard', code: 'no_edit_succeeded', attempted: 8 },
      { severity: 'soft', code: 'last_effect_failed', call_id: 'call_1', name: 'write_file', outcome: 'failed' },
    ];
    expect(text({ status: 'failed', objections })).toContain('8 edits were attempted and none succeeded; the workspace is as it was (hard)\n              the last call with an effect, write_file, failed (soft)');
  });
});
