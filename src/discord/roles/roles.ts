import type { Kysely } from 'kysely';

import type { ActivityListener } from '../../market/contract.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Logger } from '../../process/logger.ts';
import type { Route } from '../../http/route.ts';
import { resumeRoleChanges } from './server-refusals.ts';
import type { Database } from '../../db/schema.ts';
import { noteJoin, noteRole } from '../verify/wallet-store.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { memberRoutes } from '../admin/http-members.ts';
import { walletRoutes } from '../admin/http-wallets.ts';
import type { AuditTrail, Clock, Ownership, RolePlatform } from '../ports.ts';
import { authorizationExpiryJob } from '../admin/authorizing.ts';
import { removalRoutes } from '../admin/decide-removals.ts';
import { explainMember, strangerExplanation } from './explaining.ts';
import { createLinking, type Linking } from '../verify/linking.ts';
import { createRoleListener } from './listener.ts';
import { createMemberCheck } from './member-check.ts';
import { reconfigure } from './reconfigure.ts';
import { retryRoute } from '../admin/retry-action.ts';
import { addRoleJobs } from './role-jobs.ts';
import { dueWork } from './job-names.ts';
import { createAskedChecks, createCheckBudget, createCheckRequests, type RequestCheck } from './asked-checks.ts';

export interface RolesDeps {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  /** null: there is no bot; nothing is given or removed, and what is due waits. */
  readonly platform: RolePlatform | null;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly settings: {
    /** Canonical type of the product's own collection. */
    readonly collectionType: string;
    /** RECHECK_INTERVAL_MS. */
    readonly recheckMs: number;
  };
  /** Awaited between pieces of long work; left out: this process serves no one else. */
  readonly stepBack?: (workedMs: number) => Promise<void>;
}

/** Holders have the role, and no one loses it by mistake (rulings R5). Throws database errors. */
export interface Roles extends Linking {
  /** Reads the wallets now and applies the result. */
  checkNow(guildId: string, userId: string, cause: string): Promise<MemberExplanation>;
  /** The same without a new check; null: they have linked nothing in this server. */
  explain(guildId: string, userId: string): Promise<MemberExplanation | null>;
  /** A member who may have linked a wallet is in the server again: checked at once. */
  memberJoined(guildId: string, userId: string, displayName: string): Promise<void>;
  /** Discord's report on the configured role. */
  memberRoleSeen(guildId: string, userId: string, hasRole: boolean): Promise<void>;
  /** Contract, role or grace changed, or the server is back: everyone is checked. */
  configurationChanged(guildId: string): Promise<void>;
  /** Roles or permissions of the server changed: what Discord refused before is retried. */
  guildChanged(guildId: string): Promise<void>;
  readonly listener: ActivityListener;
  readonly routes: readonly Route[];
  /** Something may be due now. */
  wake(): void;
}

export function createRoles(deps: RolesDeps): Roles {
  const { db, jobs, log, settings, clock } = deps;
  const budget = createCheckBudget(() => clock.now().getTime());
  const requestCheck = createCheckRequests(budget);
  const wake = (): void => {
    jobs
      .send(dueWork, {})
      .catch((error: unknown) =>
        log.debug({ err: error }, 'What is due could not be announced; it is found by itself'),
      );
  };
  addRoleJobs({
    ...deps,
    memberCheck: createMemberCheck({ ...deps, budget }),
    expiry: authorizationExpiryJob({ ...deps, wake }),
  });
  const explaining = { db, ...settings };
  const look = createAskedChecks({ ...deps, requestCheck });
  return {
    ...createLinking({ ...deps, requestCheck, wake }),
    ...createNews(deps, requestCheck, wake),
    checkNow: async (guildId, userId, cause) => {
      await look(guildId, userId, cause);
      return (await explainMember(explaining, guildId, userId, 'member')) ?? strangerExplanation(userId, userId);
    },
    explain: (guildId, userId) => explainMember(explaining, guildId, userId, 'member'),
    listener: createRoleListener(wake),
    routes: [
      ...memberRoutes({
        ...deps,
        look,
        explain: (guildId, userId) => explainMember(explaining, guildId, userId, 'admin'),
      }),
      ...walletRoutes({ ...deps, wake }),
      ...removalRoutes({ ...deps, collectionType: settings.collectionType, wake }),
      retryRoute({ ...deps, wake }),
    ],
    wake,
  };
}

const resume = (db: Kysely<Database>, guildId: string): Promise<void> =>
  db.transaction().execute((trx) => resumeRoleChanges(trx, guildId));

/** What the bot reports of servers and members. */
const createNews = ({ db }: RolesDeps, requestCheck: RequestCheck, wake: () => void) => ({
  memberJoined: async (guildId: string, userId: string, displayName: string): Promise<void> => {
    const isDue = await db.transaction().execute(async (trx) => {
      const isKnown = await noteJoin(trx, guildId, userId, displayName);
      return isKnown && requestCheck(trx, { guildId, userId }, 'joined');
    });
    if (isDue) wake();
  },
  memberRoleSeen: (guildId: string, userId: string, hasRole: boolean): Promise<void> =>
    noteRole(db, guildId, userId, hasRole),
  configurationChanged: async (guildId: string): Promise<void> => {
    await reconfigure(db, guildId);
    await resume(db, guildId);
    wake();
  },
  guildChanged: async (guildId: string): Promise<void> => {
    await resume(db, guildId);
    wake();
  },
});
