import { z } from 'zod';

/** As it is stored and compared: one address is one person, however it is typed. */
export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email('is not an e-mail address'));
