import type { ComponentProps } from 'react';
import { includesRole, ROLES, type Role } from '@/lib/domain/role';
import { Select } from '../ui/select';

export const ROLE_MEANING: Readonly<Record<Role, string>> = {
  viewer: 'sees runs',
  member: 'submits, answers, cancels own',
  engineer: 'sees evidence, cancels any',
  manager: 'sets budgets, sees all spend',
  admin: 'manages people, tokens, models',
};

/** @param most no role above it is offered */
export function RoleSelect({ most = 'admin', ...rest }: ComponentProps<typeof Select> & { readonly most?: Role }) {
  return (
    <Select {...rest}>
      {ROLES.filter((role) => includesRole(most, role)).map((role) => (
        <option key={role} value={role}>
          {role}: {ROLE_MEANING[role]}
        </option>
      ))}
    </Select>
  );
}
