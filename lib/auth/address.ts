/**
 * The address a request came from, for counting attempts and for the audit. The last
 * entry: it was written by the server nearest to us, and whoever asks can only write
 * those before it.
 */
export function addressOf(headers: Headers): string {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return /^[0-9a-fA-F:.]{2,45}$/.test(last) ? last.replace(/^::ffff:/i, '') : 'unknown';
}
