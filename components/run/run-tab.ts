export const RUN_TABS = ['timeline', 'changes', 'usage', 'told', 'events'] as const;
export type RunTab = (typeof RUN_TABS)[number];

export const runTabOf = (value: unknown): RunTab => RUN_TABS.find((tab) => tab === value) ?? 'timeline';
