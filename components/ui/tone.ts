/** What a colour may say. A word or a sign always says it too. */
export const TONES = ['neutral', 'active', 'good', 'bad', 'warn', 'doubt'] as const;
export type Tone = (typeof TONES)[number];

export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  neutral: 'text-ink-soft',
  active: 'text-accent',
  good: 'text-good',
  bad: 'text-bad',
  warn: 'text-warn',
  doubt: 'text-doubt',
};

export const TONE_SOFT: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-ink-soft',
  active: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  warn: 'bg-warn-soft text-warn',
  doubt: 'bg-doubt-soft text-doubt',
};

/** A rule at the side of what it speaks of. */
export const TONE_EDGE: Readonly<Record<Tone, string>> = {
  neutral: 'border-l-line-strong',
  active: 'border-l-accent',
  good: 'border-l-good',
  bad: 'border-l-bad',
  warn: 'border-l-warn',
  doubt: 'border-l-doubt',
};
