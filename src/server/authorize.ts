import type { IncomingHttpHeaders } from 'node:http';

import type { Access } from './route.ts';

/** Whether a caller may go on, or the answer they get instead (rulings R2: 401 without a session, 403 with too little). */
type Permission =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: 401 | 403; readonly code: string; readonly message: string };

/** Asked for every call that is not public. */
export type Authorize = (
  request: { readonly headers: IncomingHttpHeaders },
  access: Exclude<Access, 'public'>,
) => Promise<Permission> | Permission;

/** While there are no accounts, nobody is signed in. */
export const nobodyIsSignedIn: Authorize = () => ({
  ok: false,
  status: 401,
  code: 'not-signed-in',
  message: 'Sign in first: this call needs an account.',
});
