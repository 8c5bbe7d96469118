import { describe, expect, it } from 'vitest';
import { actorSchema, cancelExitCode } from './actor';

describe('an actor', () => {
  it.each(['system', 'local', 'user:usr_01HF7YAT00WP63Q6AQNPDWRM6X', 'signal:SIGINT'])('may be %s', (actor) => {
    expect(actorSchema.parse(actor)).toBe(actor);
  });

  it.each(['', 'root', 'user:', 'user:usr_', 'user:ses_01', 'signal:INT', 'system ', 'system\n', 'local:me'])('is not %j', (actor) => {
    expect(actorSchema.safeParse(actor).success).toBe(false);
  });

  it('of a cancel decides the exit code: 143 after SIGTERM, else 130', () => {
    expect(['signal:SIGINT', 'signal:SIGTERM', 'local', 'system'].map(cancelExitCode)).toEqual([130, 143, 130, 130]);
  });
});
