import { walletRoutes } from '../admin/authorized-wallets.ts';
import { memberRoutes } from '../admin/http-members.ts';
import { decisionRoutes, removalJob } from './decide-removals.ts';
import type { AuditActor } from '../../audit/contract.ts';
import type { Route } from '../../http/route.ts';
import type { MemberExplanation } from '../members-contract.ts';
import { createCheckAndWait, createCheckBudget, createRequestCheck } from './check-requests.ts';
import { dueWorkJob, tradeListener } from './due-work.ts';
import { explainMember } from './explain-member.ts';
import { directMessageJob } from './direct-messages.ts';
import { roleChangeJob } from './give-and-take-roles.ts';
import { deleteMember, linkWallet, unlinkWallet } from './linking.ts';
import { checkMember, memberCheckJob } from './member-check.ts';
import { noteJoin } from './member-store.ts';
import { askForPayoutMessages } from './payout-messages.ts';
import type { RolesDeps } from './role-jobs.ts';
import { sweepJob } from './sweep.ts';

export type Roles = ReturnType<typeof createRoles>;

/** Holders get the role, and no one loses it by mistake (rulings R5). Throws database errors. */
export function createRoles(deps: RolesDeps) {
  const { db, clock } = deps;
  const requestCheck = createRequestCheck(createCheckBudget(() => clock.now().getTime()));
  const checkAndWait = createCheckAndWait(deps, requestCheck);
  /** null: they have linked nothing in this server. */
  const explain = (guildId: string, userId: string): Promise<MemberExplanation | null> =>
    explainMember(deps, guildId, userId);
  /** False: the wallet is not linked to this member. The role ends as after a sale: after two checks, never at once. */
  const unlink = (guildId: string, userId: string, wallet: string, actor: AuditActor): Promise<boolean> =>
    unlinkWallet({ ...deps, requestCheck }, { guildId, userId }, wallet, actor);
  addJobs(deps);
  const admin = { ...deps, checkAndWait, unlinkWallet: unlink, explain };
  const routes: readonly Route[] = [...memberRoutes(admin), ...walletRoutes(admin), ...decisionRoutes(admin)];
  return {
    routes,
    linkWallet: linkWallet({ ...deps, requestCheck }),
    unlinkWallet: unlink,
    deleteMember: (guildId: string, userId: string, actor: AuditActor): Promise<boolean> =>
      deleteMember(deps, { guildId, userId }, actor),
    askForPayoutMessages: askForPayoutMessages(deps),
    /** Reads the wallets now and applies the result. null: they have linked nothing, or deleted it meanwhile. */
    checkNow: async (guildId: string, userId: string, cause: string): Promise<MemberExplanation | null> => {
      await checkAndWait(guildId, userId, cause);
      return explain(guildId, userId);
    },
    explain,
    /** A member who may have linked a wallet is in the server again: checked at once. */
    memberJoined: (guildId: string, userId: string, displayName: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const member = { guildId, userId };
        if (await noteJoin(trx, member, displayName)) await requestCheck(trx, member, 'joined');
      }),
    /** Receives purchases and sales. */
    listener: tradeListener,
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
