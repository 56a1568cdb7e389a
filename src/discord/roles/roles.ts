import { walletRoutes } from '../admin/authorized-wallets.ts';
import { memberRoutes } from '../admin/http-members.ts';
import { decisionRoutes, removalJob } from './decide-removals.ts';
import type { AuditActor } from '../../audit/contract.ts';
import type { Route } from '../../http/route.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { sweepNow } from '../servers/guild-config-store.ts';
import { lockMembers } from '../servers/guild-member-store.ts';
import { createCheckAndWait, createCheckBudget, createRequestCheck } from './check-requests.ts';
import { createTradeListener, dueWorkJob } from './due-work.ts';
import { explainMember } from './explain-member.ts';
import { directMessageJob } from './direct-messages.ts';
import { roleChangeJob } from './give-and-take-roles.ts';
import { deleteMember, linkWallet, unlinkWallet } from './linking.ts';
import { checkMember, memberCheckJob } from './member-check.ts';
import { resumeRoleChanges, cancelRoleChanges } from './member-roles.ts';
import { noteJoin } from './member-store.ts';
import { askForPayoutMessages } from './payout-messages.ts';
import { closeBatch, lockGuild, lockWaitingBatch, moveMembers } from './removal-store.ts';
import { dueWork, type RolesDeps } from './role-jobs.ts';
import type { Findings } from './rules/findings.ts';
import { sweepJob } from './sweep.ts';

export type Roles = ReturnType<typeof createRoles>;

/** Holders get the role, and no one loses it by mistake (rulings R5). Throws database errors. */
export function createRoles(deps: RolesDeps) {
  const { db, jobs, log, clock } = deps;
  const requestCheck = createRequestCheck(createCheckBudget(() => clock.now().getTime()));
  const checkAndWait = createCheckAndWait(deps, requestCheck);
  /** Has due work found now instead of in the next second. */
  const wake = (): void => {
    jobs
      .send(dueWork, {})
      .catch((error: unknown) =>
        log.debug({ err: error }, 'Due work could not be announced; the next regular run finds it'),
      );
  };
  const wakeIf = (isDue: boolean): boolean => {
    if (isDue) wake();
    return isDue;
  };
  /** null: they have linked nothing in this server. */
  const explain = (guildId: string, userId: string): Promise<MemberExplanation | null> =>
    explainMember(deps, guildId, userId);
  /** False: the wallet is not linked to this member. The role ends as after a sale: after two checks, never at once. */
  const unlink = async (guildId: string, userId: string, wallet: string, actor: AuditActor): Promise<boolean> =>
    wakeIf(await unlinkWallet({ ...deps, requestCheck }, { guildId, userId }, wallet, actor));
  /** Roles or permissions of the server changed: what Discord refused before is retried. */
  const guildChanged = async (guildId: string): Promise<void> => {
    await resumeRoleChanges(db, guildId);
    wake();
  };
  addJobs(deps);
  const admin = { ...deps, wake, checkAndWait, unlinkWallet: unlink, explain };
  const routes: readonly Route[] = [...memberRoutes(admin), ...walletRoutes(admin), ...decisionRoutes(admin)];
  return {
    routes,
    linkWallet: linkWallet({ ...deps, requestCheck }),
    unlinkWallet: unlink,
    deleteMember: async (guildId: string, userId: string, actor: AuditActor): Promise<boolean> =>
      wakeIf(await deleteMember(deps, { guildId, userId }, actor)),
    askForPayoutMessages: askForPayoutMessages(deps),
    /** Reads the wallets now and applies the result. null: they have linked nothing, or deleted it meanwhile. */
    checkNow: async (guildId: string, userId: string, cause: string): Promise<MemberExplanation | null> => {
      await checkAndWait(guildId, userId, cause);
      return explain(guildId, userId);
    },
    explain,
    /** A member who may have linked a wallet is in the server again: checked at once. */
    memberJoined: async (guildId: string, userId: string, displayName: string): Promise<void> => {
      const member = { guildId, userId };
      const joined = db.transaction().execute(async (trx) => {
        return (await noteJoin(trx, member, displayName)) && requestCheck(trx, member, 'joined');
      });
      wakeIf(await joined);
    },
    /** For a changed contract, role or grace, or a server that is back: in the transaction that stores it, which locks the server. */
    reconfigure,
    guildChanged,
    wake,
    /** Receives purchases and sales. */
    listener: createTradeListener(wake),
  };
}

/** Without a bot only requested checks run. */
function addJobs(deps: RolesDeps): void {
  const { jobs, platform } = deps;
  jobs.add(memberCheckJob(deps));
  if (platform === null) return;
  jobs.add(dueWorkJob(deps));
  jobs.add(roleChangeJob({ ...deps, platform, check: (member, stop) => checkMember(deps, member, stop) }));
  jobs.add(directMessageJob({ ...deps, platform }));
  jobs.add(removalJob(deps));
  jobs.add(sweepJob(deps));
}

/**
 * The server was reconfigured, or is back: everyone is checked now. If the collection changed, earlier findings remove no role: those
 * checks, and a mass removal that waits because of them, are void.
 */
async function reconfigure(trx: RolesDeps['db'], guildId: string): Promise<void> {
  const guild = await lockGuild(trx, guildId, 'wait');
  if (guild === null) return;
  await resumeRoleChanges(trx, guildId);
  await sweepNow(trx, guildId);
  await lockMembers(trx, guildId);
  await resumeReleased(trx, guildId, guild.roleId);
  const doubted = await trx
    .selectFrom('discordMembers')
    .where('guildId', '=', guildId)
    .select(['userId', 'explanation'])
    .where('roleState', 'in', ['doubt', 'grace', 'braked', 'kept'])
    .execute();
  const userIds = doubted
    .filter(({ explanation }) => (explanation as Findings | null)?.nftType !== guild.nftContract)
    .map(({ userId }) => userId);
  if (userIds.length === 0) return;
  await moveMembers(trx, guildId, userIds, { roleState: 'holder', checkDueAt: null });
  await cancelRoleChanges(trx, guildId, userIds);
  const waiting = await lockWaitingBatch(trx, guildId);
  if (waiting !== null) await closeBatch(trx, waiting.id, 'obsolete');
}

/**
 * Another role may have been chosen, and then this one again. Members released in between to whom the bot gave this role, and from whom
 * it did not remove it, are treated like anyone who has it.
 */
async function resumeReleased(trx: RolesDeps['db'], guildId: string, roleId: string): Promise<void> {
  if (roleId === '') return;
  const released = await trx
    .selectFrom('discordMembers as m')
    .innerJoin('discordMemberRoles as r', (join) =>
      join.onRef('r.guildId', '=', 'm.guildId').onRef('r.userId', '=', 'm.userId'),
    )
    .select('m.userId')
    .where((eb) => eb.and({ 'm.guildId': guildId, 'm.roleState': 'none', 'r.roleId': roleId }))
    .where('m.hasRole', 'is distinct from', false)
    .where('r.givenAt', 'is not', null)
    .execute();
  const userIds = released.map(({ userId }) => userId);
  await moveMembers(trx, guildId, userIds, { roleState: 'holder' });
}
