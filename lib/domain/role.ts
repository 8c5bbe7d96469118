/**
 * What a person or a token may do in a project, each role including the one before:
 * `viewer` sees runs; `member` submits, answers, approves, cancels own; `engineer` sees
 * evidence, reconciles, cancels any; `manager` sets budgets and policies and sees the
 * spend of everybody; `admin` manages people, tokens and models.
 */
import { z } from 'zod';

export const ROLES = ['viewer', 'member', 'engineer', 'manager', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const roleSchema = z.enum(ROLES);

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, engineer: 2, manager: 3, admin: 4 };

/** Whether `role` may do what needs `needed`. */
export const includesRole = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed];

/** The weaker of the two: a token is never worth more than its owner is now. */
export const weakerRole = (a: Role, b: Role): Role => (RANK[a] <= RANK[b] ? a : b);
