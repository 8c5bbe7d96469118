import type { PageCall } from '@/lib/http/require-principal';
import { includesRole } from '@/lib/domain/role';

/** The sample's commands are ours: where there is no sandbox an admin may answer for them. */
export const sampleUnsandboxed = ({ system, principal }: PageCall): boolean => system.sandbox === 'none' && includesRole(principal.role, 'admin');
