import type { Kysely } from 'kysely';

import type { Database } from '../db/schema.ts';
import { Invalid } from '../shared/failure.ts';
import { createAttemptStore, createUserStore } from './account-store.ts';
import { ensureAdmin } from './accounts.ts';
import { accountsRoutes, ownAccountRoutes } from './accounts-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { authorizeWith } from './authorize.ts';
import { factorRoutes } from './factor-routes.ts';
import { createChallengeStore, createFactorStore } from './factors/factor-store.ts';
import { createPasskeys, type Site } from './factors/passkeys.ts';
import { createSeal } from './factors/codes.ts';
import type { LoginDeps } from './login-deps.ts';
import { createPasswords, type HashLimits } from './passwords.ts';
import { createSessionStore } from './session-store.ts';
import { createTokens } from './tokens.ts';

export interface AuthDeps {
  readonly db: Kysely<Database>;
  readonly audit: LoginDeps['audit'];
  readonly clock: LoginDeps['clock'];
  readonly settings: Site & {
    /** SESSION_SECRET. Changing it ends every session and makes the codes of authenticator apps invalid. */
    readonly sessionSecret: string;
    /** ADMIN_USERNAME and ADMIN_PASSWORD. */
    readonly admin: { readonly username: string; readonly password: string } | null;
    readonly hashLimits?: HashLimits;
  };
}

/** Says which variable to change when the start fails. */
function nameTheVariable(error: unknown): never {
  if (!(error instanceof Invalid)) throw error;
  const variable = error.reason === 'bad-password' ? 'ADMIN_PASSWORD' : 'ADMIN_USERNAME';
  throw new Invalid(error.reason, `${variable}: ${error.message}`);
}

/** Accounts, sessions and who may call what (specification 2 to 8, rulings R2). */
export function createAuth({ db, audit, clock, settings }: AuthDeps) {
  const deps: LoginDeps = {
    db,
    users: createUserStore(db),
    sessions: createSessionStore(db),
    attempts: createAttemptStore(db),
    passwords: createPasswords(settings.hashLimits),
    tokens: createTokens(settings.sessionSecret),
    factors: createFactorStore(db),
    challenges: createChallengeStore(db),
    passkeys: createPasskeys(settings),
    seal: createSeal(settings.sessionSecret),
    productName: settings.productName,
    audit,
    clock,
  };
  return {
    routes: [authRoutes, factorRoutes, ownAccountRoutes, accountsRoutes].flatMap((routesOf) => routesOf(deps)),
    authorize: authorizeWith(deps),
    /** Creates or updates the admin from the environment. Throws Invalid for a name or password that is not allowed. */
    start: async (): Promise<void> => {
      // Before the first sign-in, so that the first wrong name takes no longer than any other.
      await deps.passwords.matches('', null, 'stranger');
      if (settings.admin !== null) await ensureAdmin(deps, settings.admin).catch(nameTheVariable);
    },
  };
}
export type Auth = ReturnType<typeof createAuth>;
