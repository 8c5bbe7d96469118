import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Seals the arguments of a call that has not ended, for its executor only.
 *
 * Layout: version (1 byte) | nonce (12) | tag (16) | ciphertext. AES-256-GCM with
 * a random nonce. The context (the call id) is authenticated but not stored, so a
 * sealed value copied to another call's row does not open there.
 */
export interface Sealer {
  seal(text: string, context: string): Buffer;
  /** Throws SealError unless this key sealed exactly this for exactly this context. */
  open(sealed: Buffer, context: string): string;
}

/** Says only that it does not open: why would help nobody but an attacker. */
export class SealError extends Error {
  override readonly name = 'SealError';
  constructor() {
    super('sealed value does not open with this key and context');
  }
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** `key` must have 32 bytes. */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== 32) throw new RangeError('a sealing key has 32 bytes');
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associated(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) throw new SealError();
      try {
        const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(associated(context));
        decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
      } catch {
        throw new SealError();
      }
    },
  };
}

/** The version is authenticated too: a later layout cannot be passed off as this one. */
function associated(context: string): Buffer {
  return Buffer.from(`pilothouse/seal/${VERSION}\n${context}`, 'utf8');
}
