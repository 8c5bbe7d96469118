import type { Store } from '@/lib/store/database';
import { countAttempt, forgetAttempts, giveBackAttempt } from '@/lib/store/people/sign-in-attempt';
import { hashSecret } from './secret';

/** Failures in a quarter of an hour. More people share an address than an account. */
const MOST_OF_ACCOUNT = 10;
const MOST_OF_ADDRESS = 20;

export type Attempt =
  | { readonly allowed: true; /** It was no failure. */ succeeded(): Promise<void> }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** Counts an attempt to sign in before it is made, by the account and by the address it comes from. */
export async function countedAttempt(store: Pick<Store, 'transaction'>, account: string, address: string): Promise<Attempt> {
  const accountKey = hashSecret(`account:${account}`);
  const addressKey = hashSecret(`address:${address}`);
  const counted = await store.transaction((sql) => countAttempt(sql, [accountKey, addressKey]));
  const most = (key: string): number => (key === accountKey ? MOST_OF_ACCOUNT : MOST_OF_ADDRESS);
  const over = counted.filter(({ key, attempts }) => attempts > most(key));
  if (over.length > 0) return { allowed: false, retryAfterSeconds: Math.max(...over.map(({ secondsLeft }) => secondsLeft)) };
  return {
    allowed: true,
    succeeded: () =>
      store.transaction(async (sql) => {
        await forgetAttempts(sql, accountKey);
        await giveBackAttempt(sql, addressKey);
      }),
  };
}
