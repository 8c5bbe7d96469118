import { Problem, type ProblemCode } from './problem';

/** What stands wrong at one place of a body, where more than a schema was needed to see it. */
export const fieldProblem = (code: ProblemCode, pointer: string, message: string): Problem =>
  new Problem(code, { detail: `${pointer}: ${message}`, errors: [{ pointer, message }] });
