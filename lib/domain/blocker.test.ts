import { describe, expect, it } from 'vitest';
import { blockerReportSchema } from './blocker';

describe('a blocker report', () => {
  const report = { kind: 'user_decision', summary: 'Which?' };
  const evidence = { kind: 'file', summary: 'seen' };

  it('needs a kind that is known and something to say; evidence may be absent', () => {
    expect(blockerReportSchema.parse(report)).toEqual({ ...report, evidence: [] });
    for (const wrong of [{ ...report, kind: 'tired' }, { ...report, summary: ' ' }, { kind: 'user_decision' }]) {
      expect(blockerReportSchema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
  });

  it('is bounded: 2,000 characters of summary, 32 pieces of evidence', () => {
    const parses = (of: object): boolean => blockerReportSchema.safeParse({ ...report, ...of }).success;
    expect([parses({ summary: 'x'.repeat(2_000) }), parses({ summary: 'x'.repeat(2_001) })]).toEqual([true, false]);
    expect([parses({ evidence: Array(32).fill(evidence) }), parses({ evidence: Array(33).fill(evidence) })]).toEqual([true, false]);
  });

  it('reads the same when it is read again from the log', () => {
    const once = blockerReportSchema.parse({ ...report, summary: '  Which? ', question: ' A? ' });
    expect(blockerReportSchema.parse(once)).toEqual(once);
  });
});
