import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { z } from 'zod';

/**
 * Passwords as scrypt hashes that name their own parameters, so that these can be
 * raised without locking anybody out: `scrypt$N$r$p$salt$key`.
 */
const NOW = { N: 2 ** 15, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SHAPE = /^scrypt\$(\d{4,7})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]{16,86})\$([A-Za-z0-9_-]{43})$/;

/** Length alone: what makes a password weak is being short or known, not lacking a digit. */
export const passwordSchema = z
  .string()
  .min(10, 'must have at least 10 characters')
  .max(256, 'must have at most 256 characters');

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, NOW);
  return ['scrypt', NOW.N, NOW.r, NOW.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Takes as long for a person without a password (`null`) as for one who has one, and is then false. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = hash === null ? null : SHAPE.exec(hash);
  if (parts === null) {
    await derive(password, NOBODYS_SALT, NOW);
    return false;
  }
  const [, N, r, p, salt = '', key = ''] = parts;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(actual, expected);
}

const NOBODYS_SALT = randomBytes(16);

function derive(password: string, salt: Buffer, cost: { readonly N: number; readonly r: number; readonly p: number }): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    // One form of each character: a keyboard of another system may send another.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
