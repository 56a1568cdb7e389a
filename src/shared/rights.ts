/**
 * What an account may do in the admin area (docs/decisions/0039). An account has exactly one of these rights, or none: then it
 * may not enter. Accounts with any of them have the specification's isAdmin.
 */
export const allRights = ['admin', 'treasurer', 'operator'] as const;
export type Rights = (typeof allRights)[number];

/** `dashboard`: any of the rights. */
export type NeededRight = Rights | 'dashboard';

/** An admin may do everything that the others may. */
export const hasRight = (rights: Rights | null, needed: NeededRight): boolean =>
  rights !== null && (needed === 'dashboard' || rights === 'admin' || rights === needed);
