/** What `doctor` found, for a person. Pure. */
import type { ProgressLine, Tone } from '../output/progress';

export interface Finding {
  readonly name: string;
  /** `missing` where the main job cannot run. */
  readonly state: 'ok' | 'warn' | 'missing';
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
}

const TONES: Readonly<Record<Finding['state'], Tone>> = { ok: 'good', warn: 'doubt', missing: 'bad' };

export const canWork = (findings: readonly Finding[]): boolean => findings.every((finding) => finding.state !== 'missing');

export function doctorLines(findings: readonly Finding[]): readonly ProgressLine[] {
  const width = Math.max(...findings.map(({ name }) => name.length));
  return findings.flatMap(({ name, state, detail, advice }) => [
    { tone: TONES[state], text: `${state.padEnd(9)}${name.padEnd(width + 2)}${detail}` },
    ...(advice === undefined ? [] : [{ tone: 'dim', text: `${' '.repeat(width + 11)}${advice}` } as const]),
  ]);
}
