/** The sample task, as everybody submits it: a bundled repository with a failing test. */
export const SAMPLE_TASK = 'Fix the failing test';
export const SAMPLE_VERIFIER = 'node --test';
