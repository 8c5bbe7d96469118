import { createHash, randomBytes } from 'node:crypto';

/**
 * What is shown once and stored as a digest. 32 random bytes need no slow hash:
 * nobody guesses them.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex');

const secret = (): string => randomBytes(32).toString('base64url');

/** An API token; its shape is known to the redactor. */
export const newApiToken = (): string => `ph_${secret()}`;
/** The secret part of a one-time sign-in link. */
export const newLinkSecret = (): string => secret();
