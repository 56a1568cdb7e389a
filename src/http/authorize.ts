import type { Access, SessionUser } from './route.ts';

/** Whether a caller may go on, or the answer they get instead (rulings R2: 401 without a session, 403 with too little). */
type Permission =
  | { readonly ok: true; readonly user: SessionUser | null }
  | { readonly ok: false; readonly status: 401 | 403; readonly code: string; readonly message: string };

/** Asked for every call that is not public, and for the public ones that read the session; those are always let in. */
export type Authorize = (sessionToken: string | null, access: Access) => Promise<Permission> | Permission;
