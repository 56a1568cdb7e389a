import type { Kysely } from 'kysely';

import { transact } from '../../db/transaction.ts';
import type { Route } from '../../http/route.ts';
import { authorizationExpiryJob } from '../admin/authorizing.ts';
import { removalRoutes, retryRoute } from '../admin/removal-decisions.ts';
import { memberRoutes } from '../admin/http-members.ts';
import { unlinkRoutes, walletRoutes } from '../admin/http-wallets.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { linkWallet, unlinkWallet } from '../verify/linking.ts';
import { createAskedChecks, createCheckBudget, createCheckRequests } from './check-requests.ts';
import { removalJob } from './decide-removals.ts';
import { deleteMember, type LinkActor } from './delete-member.ts';
import { dueWorkJob, createTradeListener } from './due-work.ts';
import { explainMember, strangerExplanation } from './explain-member.ts';
import { roleActionJob } from './give-and-take-roles.ts';
import { dueWork, type RolesDeps } from './job-names.ts';
import { createMemberCheck, type MemberCheck, memberCheckJob } from './member-check.ts';
import { noteJoin } from './member-store.ts';
import { askForPayoutMessages } from './payout-messages.ts';
import { resumeRoleChanges } from './record-outcome.ts';
import { sweepJob, makeSweepDue } from './sweep.ts';
import type { Database } from '../../db/schema.ts';
import { dropPending } from './action-queue.ts';
import { closeBatch, holdGuild, holdWaitingBatch, moveMembers } from './removal-store.ts';
import type { Findings } from './rules/findings.ts';

export type Roles = ReturnType<typeof createRoles>;

/** Holders have the role, and no one loses it by mistake (rulings R5). Throws database errors. */
export function createRoles(deps: RolesDeps) {
  const { db, jobs, log, clock } = deps;
  const budget = createCheckBudget(() => clock.now().getTime());
  const requestCheck = createCheckRequests(budget);
  const checkAsked = createAskedChecks(deps, requestCheck);
  /** Something may be due now. */
  const wake = (): void => {
    jobs
      .send(dueWork, {})
      .catch((error: unknown) =>
        log.debug({ err: error }, 'What is due could not be announced; it is found by itself'),
      );
  };
  /** null: they have linked nothing in this server. */
  const explain = (guildId: string, userId: string): Promise<MemberExplanation | null> =>
    explainMember(deps, guildId, userId, 'member');
  const engine = {
    linkWallet: linkWallet(requestCheck),
    /** False: it is not theirs. The role follows as after a sale: two checks, never at once. */
    unlinkWallet: async (guildId: string, userId: string, wallet: string, actor: LinkActor): Promise<boolean> =>
      wakeIf(wake, await unlinkWallet({ ...deps, requestCheck }, { guildId, userId, wallet, actor })),
    deleteMember: async (guildId: string, userId: string, actor: LinkActor): Promise<boolean> =>
      wakeIf(wake, await deleteMember(deps, { guildId, userId }, actor)),
    askForPayoutMessages: askForPayoutMessages(deps),
    /** Reads the wallets now and applies the result. */
    checkNow: async (guildId: string, userId: string, cause: string): Promise<MemberExplanation> => {
      await checkAsked(guildId, userId, cause);
      return (await explain(guildId, userId)) ?? strangerExplanation(userId, userId);
    },
    explain,
    /** A member who may have linked a wallet is in the server again: checked at once. */
    memberJoined: async (guildId: string, userId: string, displayName: string): Promise<void> => {
      const isDue = await db.transaction().execute(async (trx) => {
        const isKnown = await noteJoin(trx, { guildId, userId }, displayName);
        return isKnown && requestCheck(trx, { guildId, userId }, 'joined');
      });
      wakeIf(wake, isDue);
    },
    /** Contract, role or grace changed, or the server is back: everyone is checked. */
    configurationChanged: async (guildId: string): Promise<void> => {
      await transact(db, (trx) => reconfigure(trx, guildId));
      await engine.guildChanged(guildId);
    },
    /** Roles or permissions of the server changed: what Discord refused before is retried. */
    guildChanged: async (guildId: string): Promise<void> => {
      await db.transaction().execute((trx) => resumeRoleChanges(trx, guildId));
      wake();
    },
    /** Receives purchases and sales. */
    listener: createTradeListener(wake),
  };
  addJobs({ ...deps, wake }, createMemberCheck({ ...deps, budget }));
  const admin = {
    ...deps,
    wake,
    look: checkAsked,
    unlinkWallet: engine.unlinkWallet,
    explain: (guildId: string, userId: string) => explainMember(deps, guildId, userId, 'admin'),
  };
  const routes: readonly Route[] = [
    ...memberRoutes(admin),
    ...walletRoutes(admin),
    ...unlinkRoutes(admin),
    ...removalRoutes(admin),
    retryRoute(admin),
  ];
  return { ...engine, routes };
}

function wakeIf(wake: () => void, isDue: boolean): boolean {
  if (isDue) wake();
  return isDue;
}

/** Without a bot only requested checks run. */
function addJobs(deps: RolesDeps & { readonly wake: () => void }, memberCheck: MemberCheck): void {
  const { jobs, platform } = deps;
  jobs.add(authorizationExpiryJob(deps));
  jobs.add(memberCheckJob(deps, memberCheck));
  if (platform === null) return;
  jobs.add(dueWorkJob(deps));
  jobs.add(roleActionJob({ ...deps, platform, memberCheck }));
  jobs.add(removalJob(deps));
  jobs.add(sweepJob(deps));
}

/**
 * The server was reconfigured, or is back: everyone is checked now. If the collection changed, earlier findings remove no role: those
 * checks, and a mass removal that waits because of them, are void.
 */
async function reconfigure(trx: Kysely<Database>, guildId: string): Promise<void> {
  const guild = await holdGuild(trx, guildId, true);
  if (guild === null) return;
  await makeSweepDue(trx, guildId);
  const members = trx.selectFrom('discordMembers').where('guildId', '=', guildId);
  // In one order, like all callers that lock several members.
  await members.select('userId').orderBy('userId').forNoKeyUpdate().execute();
  await takeBackUp(trx, guildId, guild.roleId);
  const doubted = await members
    .select(['userId', 'explanation'])
    .where('roleState', 'in', ['doubt', 'grace', 'braked', 'kept'])
    .execute();
  const userIds = doubted
    .filter(({ explanation }) => (explanation as Findings | null)?.nftType !== guild.nftContract)
    .map(({ userId }) => userId);
  if (userIds.length === 0) return;
  await moveMembers(trx, guildId, userIds, { roleState: 'holder', checkDueAt: null });
  await dropPending(trx, guildId, userIds, ['remove-role', 'direct-message'], 'another collection was chosen');
  const waiting = await holdWaitingBatch(trx, guildId);
  if (waiting !== null) await closeBatch(trx, waiting.id, 'obsolete');
}

/**
 * Another role may have been chosen and then this one again: members released meanwhile, to whom the bot gave this role without ever
 * removing it, are treated like anyone who has it.
 */
async function takeBackUp(trx: Kysely<Database>, guildId: string, roleId: string): Promise<void> {
  if (roleId === '') return;
  const released = await trx
    .selectFrom('discordMembers as m')
    .select('m.userId')
    .where('m.guildId', '=', guildId)
    .where('m.roleState', '=', 'none')
    .where('m.hasRole', 'is distinct from', false)
    .where((eb) => {
      const lastChange = eb
        .selectFrom('discordActions as a')
        .select('a.kind')
        .whereRef('a.guildId', '=', 'm.guildId')
        .whereRef('a.userId', '=', 'm.userId')
        .where('a.roleId', '=', roleId)
        .where('a.state', '=', 'done')
        .where('a.kind', 'in', ['grant-role', 'remove-role'])
        .orderBy('a.id', 'desc')
        .limit(1);
      return eb(lastChange, '=', 'grant-role');
    })
    .execute();
  const userIds = released.map(({ userId }) => userId);
  await moveMembers(trx, guildId, userIds, { roleState: 'holder' });
}
