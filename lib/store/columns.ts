/** How columns come out of the driver, and what the rest of the program works with. */
import { z } from 'zod';

/** int4 and int8. A number that JavaScript cannot hold exactly is an error, never another number. */
export const integer = z.union([z.bigint(), z.number()]).transform((value, context) => {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  context.addIssue('is not a safe integer');
  return z.NEVER;
});

/** timestamptz; connections speak UTC, so that the driver's reading of it is right. */
export const instant = z.date();

export const id = <T extends string>() => z.custom<T>((value) => typeof value === 'string');

export const bytes = z.instanceof(Uint8Array);
