import { describe, expect, test } from 'vitest';
import { includesRole, ROLES, weakerRole } from './role';

describe('roles', () => {
  test('each includes itself and those before it, and none after it', () => {
    for (const [rank, role] of ROLES.entries()) {
      for (const [needed, other] of ROLES.entries()) expect(includesRole(role, other)).toBe(rank >= needed);
    }
  });

  test('of two the weaker one counts', () => {
    expect(weakerRole('admin', 'viewer')).toBe('viewer');
    expect(weakerRole('member', 'engineer')).toBe('member');
    expect(weakerRole('manager', 'manager')).toBe('manager');
  });
});
