import { z } from 'zod';
import { isId, type IdOf, type IdPrefix } from '@/lib/domain/id';
import { Problem, type FieldError, type ProblemCode } from './problem';

/** An id from outside; whatever has another shape names nothing. */
export const idOf = <P extends IdPrefix>(prefix: P): z.ZodType<IdOf<P>> =>
  z.custom<IdOf<P>>((value) => isId(prefix, value), { error: `is not an id that begins with ${prefix}_` });

/** `?limit=` of a page. */
export const pageLimit = (most: number, usual: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(most))
    .default(usual);

/** The last seq that a reader has seen. */
export const afterSeq = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .default(0);

/** What a person calls something. */
export const label = z.string().trim().min(1, 'must not be empty').max(100);

/** RFC 3339. */
export const timestamp = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Without what was not given: an absent option and an undefined one are not the same. */
export const given = <T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** @throws Problem with what is wrong at which place */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, code: ProblemCode = 'invalid'): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Problem(code, { detail: sentence(parsed.error), errors: parsed.error.issues.flatMap(fieldErrors) });
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, 20).map((key) => ({ pointer: pointerTo([...issue.path, key]), message: 'is not known' }));
  }
  return [{ pointer: pointerTo(issue.path), message: issue.message.slice(0, 300) }];
}

const pointerTo = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function sentence(error: z.ZodError): string {
  const first = error.issues.flatMap(fieldErrors)[0];
  return first === undefined ? 'The request is not valid.' : `${first.pointer === '' ? 'The body' : first.pointer}: ${first.message}`;
}
