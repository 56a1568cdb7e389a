/**
 * What an account may do in the admin area (docs/decisions/0039). Each has exactly one of these, or none: then it may not enter.
 * Whoever has one has the specification's isAdmin.
 */
export const allRights = ['admin', 'treasurer', 'operator'] as const;
export type Rights = (typeof allRights)[number];

/** `dashboard`: whoever may enter the admin area. */
export type NeededRight = Rights | 'dashboard';

/** An admin may do what the others may. */
export const reaches = (rights: Rights | null, needed: NeededRight): boolean =>
  rights !== null && (needed === 'dashboard' || rights === 'admin' || rights === needed);
