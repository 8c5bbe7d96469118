import type { JsonValue } from './json';
import { byteLength, truncateBytes } from './truncate';

export { byteLength, truncateBytes, truncateMiddle, type TruncatedText } from './truncate';

/**
 * The one place where text and JSON are made fit for storage. PostgreSQL refuses
 * NUL in text and jsonb, refuses lone surrogates in jsonb and *silently* stores
 * them as U+FFFD in text; both become U+FFFD here, so that what is stored is
 * what was decided and not what a driver made of it.
 */

const REPLACEMENT = '\uFFFD';

/** How deep `cleanJson` ever descends, whatever the caller allows: well below what overflows a stack. */
export const JSON_DEPTH_CEILING = 512;

export interface CleanedText {
  readonly text: string;
  /** True when the text is not the one that was given. */
  readonly changed: boolean;
}

export type CleanJsonFailure =
  | 'not_json' // nothing that JSON can say: undefined, a function, a symbol
  | 'cyclic'
  | 'too_deep'
  | 'too_large'
  | 'unreadable'; // a getter, a proxy or a toJSON threw

export type CleanedJson =
  | { readonly ok: true; readonly value: JsonValue; readonly changed: boolean }
  | { readonly ok: false; readonly reason: CleanJsonFailure };

export interface CleanJsonLimits {
  /** Nested containers allowed; a scalar has depth 0. At most JSON_DEPTH_CEILING. */
  readonly maxDepth: number;
  /** UTF-8 bytes of the JSON text of the result. */
  readonly maxBytes: number;
}

/** Text that every store accepts as it is, at most `maxBytes` long in UTF-8. */
export function cleanText(text: string, limits: { readonly maxBytes?: number } = {}): CleanedText {
  const clean = storable(text);
  if (limits.maxBytes === undefined) return { text: clean, changed: clean !== text };
  const cut = truncateBytes(clean, limits.maxBytes);
  return { text: cut.text, changed: cut.truncated || clean !== text };
}

/**
 * Any value as JSON that every store accepts. Never throws, whatever it is given.
 *
 * What JSON cannot say is replaced where that loses nothing silently (`changed`
 * is set): NaN and infinities by null, a bigint by its digits, an array hole or a
 * function in an array by null. Properties without a JSON value are left out, as
 * `JSON.stringify` does. Two keys that become equal by cleaning are both kept.
 */
export function cleanJson(value: unknown, limits: CleanJsonLimits): CleanedJson {
  const walk = new JsonWalk(Math.min(limits.maxDepth, JSON_DEPTH_CEILING), limits.maxBytes);
  try {
    const cleaned = walk.clean(value, 0);
    if (cleaned === undefined) return { ok: false, reason: 'not_json' };
    // The walk counts a lower bound (no escapes), so that it can stop early.
    if (byteLength(JSON.stringify(cleaned)) > limits.maxBytes) return { ok: false, reason: 'too_large' };
    return { ok: true, value: cleaned, changed: walk.changed };
  } catch (error) {
    return { ok: false, reason: error instanceof Refused ? error.reason : 'unreadable' };
  }
}

/** Carries a reason out of the recursion; it never leaves this file. */
class Refused extends Error {
  constructor(readonly reason: CleanJsonFailure) {
    super(reason);
  }
}

class JsonWalk {
  changed = false;
  private readonly ancestors = new Set<object>();

  constructor(
    private readonly maxDepth: number,
    private bytesLeft: number,
  ) {}

  /** `undefined` when JSON has no word for the value. */
  clean(given: unknown, depth: number): JsonValue | undefined {
    const value = this.viaToJson(given);
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return this.number(value);
      case 'boolean':
        this.spend(4);
        return value;
      case 'bigint':
        this.changed = true;
        return this.text(value.toString());
      case 'object':
        return value === null ? this.null() : this.container(value, depth + 1);
      case 'undefined':
      case 'function':
      case 'symbol':
        return undefined;
    }
  }

  private viaToJson(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
    const { toJSON } = value;
    return typeof toJSON === 'function' ? (Reflect.apply(toJSON, value, []) as unknown) : value;
  }

  private container(value: object, depth: number): JsonValue {
    if (depth > this.maxDepth) throw new Refused('too_deep');
    if (this.ancestors.has(value)) throw new Refused('cyclic');
    this.ancestors.add(value);
    this.spend(2);
    const cleaned = Array.isArray(value) ? this.array(value, depth) : this.object(value, depth);
    this.ancestors.delete(value);
    return cleaned;
  }

  private array(value: readonly unknown[], depth: number): JsonValue {
    const cleaned: JsonValue[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const item = this.clean(value[index], depth);
      if (item === undefined) this.changed = true;
      cleaned.push(item === undefined ? this.null() : item);
    }
    return cleaned;
  }

  private object(value: object, depth: number): JsonValue {
    const keys = Object.keys(value);
    // Keys that need no cleaning keep their name; the others give way to them.
    const taken = new Set(keys.filter((key) => storable(key) === key));
    const cleaned: Record<string, JsonValue> = {};
    for (const key of keys) {
      const item = this.clean((value as Record<string, unknown>)[key], depth);
      if (item === undefined) continue;
      this.spend(byteLength(key) + 3);
      setOwn(cleaned, this.key(key, taken), item);
    }
    return cleaned;
  }

  private key(key: string, taken: Set<string>): string {
    const clean = storable(key);
    if (clean === key) return key;
    this.changed = true;
    let free = clean;
    for (let count = 2; taken.has(free); count += 1) free = `${clean}~${count}`;
    taken.add(free);
    return free;
  }

  private text(value: string): string {
    // Before cleaning: a text beyond the limit is not worth the copy.
    if (value.length > this.bytesLeft) throw new Refused('too_large');
    const clean = storable(value);
    if (clean !== value) this.changed = true;
    this.spend(byteLength(clean) + 2);
    return clean;
  }

  private number(value: number): number | null {
    if (!Number.isFinite(value)) {
      this.changed = true;
      return this.null();
    }
    this.spend(1);
    return value === 0 ? 0 : value;
  }

  private null(): null {
    this.spend(4);
    return null;
  }

  private spend(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft < 0) throw new Refused('too_large');
  }
}

/** An assignment to `__proto__` would set the prototype and lose the value. */
function setOwn(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function storable(text: string): string {
  const wellFormed = isWellFormed(text) ? text : toWellFormed(text);
  return wellFormed.indexOf('\0') === -1 ? wellFormed : wellFormed.replaceAll('\0', REPLACEMENT);
}

// ES2024, in every supported Node, but not yet in the library types chosen here.
const native = String.prototype as unknown as { isWellFormed(): boolean; toWellFormed(): string };

function isWellFormed(text: string): boolean {
  return native.isWellFormed.call(text);
}

function toWellFormed(text: string): string {
  return native.toWellFormed.call(text);
}
