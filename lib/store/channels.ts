/**
 * The channels of NOTIFY. Each listener hears those that it asks for: a worker would
 * otherwise be woken by every commit of its own runs.
 *
 * | channel | says                                              | who listens          |
 * |---------|---------------------------------------------------|----------------------|
 * | run     | these runs have changed                           | who watches runs     |
 * | work    | something is to be claimed, or a command came in  | who drives runs      |
 * | piece   | the text of pieces that are streamed, not stored  | who watches runs     |
 *
 * All are hints: who misses one finds the same in the tables later, or does without.
 */
export const CHANNELS = { run: 'pilothouse_run', work: 'pilothouse_work', piece: 'pilothouse_piece' } as const;
export type Channel = keyof typeof CHANNELS;

/** PostgreSQL's limit is 8,000 bytes with the terminating zero. */
export const PAYLOAD_BYTES = 7_900;

/** As text, because the driver cannot read a column of type void. Several payloads in one statement, in their order. */
export const notifyStatement = (channel: Channel): string =>
  `SELECT pg_notify('${CHANNELS[channel]}', payload)::text AS told FROM unnest($1::text[]) AS given(payload)`;
