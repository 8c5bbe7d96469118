import { Problem } from './problem';

const COMMAND_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * The `Idempotency-Key` of a request, which is its command id; made where none was sent.
 * @throws Problem `invalid_command_id`
 */
export function commandIdOf(headers: Headers, fresh: () => string): string {
  const given = headers.get('idempotency-key');
  if (given === null) return fresh();
  if (COMMAND_ID.test(given)) return given;
  throw new Problem('invalid_command_id', { detail: 'It has 1 to 200 printable ASCII characters without spaces.' });
}
