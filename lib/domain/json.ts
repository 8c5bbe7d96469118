/**
 * A value that JSON can carry without loss. Everything that is stored or sent
 * as JSON has this type; `cleanJson` is how an unknown value becomes one.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
