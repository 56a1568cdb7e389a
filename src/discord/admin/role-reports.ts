import type { Kysely } from 'kysely';

import { cleanText } from '../../shared/foreign-text.ts';
import { readMembersOf } from '../roles/member-store.ts';
import type { Database } from '../../db/schema.ts';
import { type DryRunAnswer } from '../contract.ts';
import { configsOfPresentGuilds } from '../servers/guild-config-store.ts';
import { createGuildStore, knownGuildName } from '../servers/guild-store.ts';
import { hasChosenRole } from '../servers/rules/known-guild.ts';
import type { MemberRecord, RoleState } from '../roles/rules/decide.ts';
import type { Ownership, ReadGuildMembers } from '../ports.ts';
import { evaluate } from '../roles/rules/findings.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { unverifiedHoldersAnswer, type UnverifiedHoldersAnswer } from '../members-contract.ts';
import { guildParams } from '../requests.ts';

interface DryRunDeps {
  readonly db: Kysely<Database>;
  readonly ownership: Pick<Ownership, 'readWallets'>;
}

const namesMax = 20;
const nameMax = 100;

/**
 * What saving an NFT contract would do in a server (rulings R6): 'gives the role to 41, takes it from 3'. Members who lose the role even
 * without the save are counted separately. Changes nothing.
 */
export async function dryRun(
  { db, ownership }: DryRunDeps,
  guildId: string,
  nft: { readonly nftType: string; readonly name: string | null },
): Promise<DryRunAnswer> {
  const guild = await createGuildStore(db).read(guildId);
  const members = await readMembersOf(db, guildId);
  const wallets = [...new Set(members.flatMap((member) => member.wallets.map(({ wallet }) => wallet)))];
  const answers = wallets.length === 0 ? new Map() : await ownership.readWallets(nft.nftType, wallets);
  const isConfigured = guild?.config?.nftContract === nft.nftType;
  const answerOf = (member: MemberRecord) =>
    evaluate(
      member.wallets.map(({ wallet, isAuthorized }) => ({
        answer: answers.get(wallet)?.kind ?? 'unknown',
        isAuthorized,
      })),
    );
  const groups = Map.groupBy(members, (member) => effectOn(member, answerOf(member), isConfigured));
  const membersWith = (effect: Effect): readonly MemberRecord[] => groups.get(effect) ?? [];
  return {
    hasRole: hasChosenRole(guild),
    nftType: nft.nftType,
    foundName: nft.name === null ? null : cleanText(nft.name, nameMax),
    isConfigured,
    verifiedCount: members.filter((member) => member.wallets.length > 0).length,
    gives: membersWith('gives').length,
    takes: membersWith('takes').length,
    keeps: membersWith('keeps').length,
    losing: membersWith('losing').length,
    unknown: membersWith('unknown').length,
    givesTo: firstNames(membersWith('gives')),
    takesFrom: firstNames(membersWith('takes')),
  };
}

type Effect = 'gives' | 'takes' | 'keeps' | 'losing' | 'unknown' | 'none';

/** The role is already ending, whether the contract is saved or not. */
const ending: ReadonlySet<RoleState> = new Set(['doubt', 'grace', 'braked']);

function effectOn(
  { hasRole, roleState, wallets }: MemberRecord,
  answer: ReturnType<typeof evaluate>,
  isConfigured: boolean,
): Effect {
  if (answer === 'unknown') return 'unknown';
  const hasIt = hasRole ?? roleState !== 'none';
  if (answer === 'holds') return hasIt ? 'keeps' : 'gives';
  // A role given by someone else is left alone.
  if (!hasIt || roleState === 'none') return 'none';
  // The save changes nothing: only an admin's decision keeps the role.
  if (isConfigured) return roleState === 'kept' ? 'keeps' : 'losing';
  return wallets.length === 0 || ending.has(roleState) ? 'losing' : 'takes';
}

const firstNames = (members: readonly MemberRecord[]) =>
  members.slice(0, namesMax).map(({ userId, displayName }) => ({ userId, displayName }));

type Holders = NonNullable<UnverifiedHoldersAnswer>;

interface UnverifiedHoldersDeps {
  readonly db: Kysely<Database>;
  readonly readMembers: ReadGuildMembers | null;
}

/** Ten requests to Discord, 10,000 members. */
const pagesMax = 10;
const holderNamesMax = 50;

export const unverifiedRoute = (deps: UnverifiedHoldersDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/unverified-holders',
    access: 'operator',
    summary: 'Members who have the holder role but no linked wallet: another bot or a person gave it',
    params: guildParams,
    answer: unverifiedHoldersAnswer,
    handle: async ({ params: { guildId } }) => {
      await knownGuildName(deps.db, guildId);
      return { data: await readUnverified(deps, guildId) };
    },
  });

/**
 * Members whose holder role did not come from this bot: another bot or a person gave it. The bot leaves them alone and stores nothing about
 * them, so Discord is asked when an admin asks. null: no bot runs here, or no role is chosen.
 */
async function readUnverified({ db, readMembers }: UnverifiedHoldersDeps, guildId: string): Promise<Holders | null> {
  if (readMembers === null) return null;
  const configs = configsOfPresentGuilds(db).select('c.roleId').where('c.guildId', '=', guildId);
  const config = await configs.where('c.roleId', '<>', '').executeTakeFirst();
  if (config === undefined) return null;
  const managedIds = await readManagedIds(db, guildId);
  const { holders, isComplete } = await readHolders(readMembers, guildId, config.roleId);
  const unverified = holders.filter(({ userId }) => !managedIds.has(userId));
  return { count: unverified.length, isComplete, members: unverified.slice(0, holderNamesMax) };
}

/** Members whose role this bot manages: they have a wallet, are losing the role after unlinking, or have a change pending after a deletion. */
async function readManagedIds(db: Kysely<Database>, guildId: string): Promise<ReadonlySet<string>> {
  const membersIn = (table: 'discordWallets' | 'discordMembers' | 'discordMemberRoles') =>
    db.selectFrom(table).where('guildId', '=', guildId).select('userId');
  const rows = await membersIn('discordWallets')
    .union(membersIn('discordMembers').where('roleState', '<>', 'none'))
    .union(membersIn('discordMemberRoles').where('wanted', 'is not', null))
    .execute();
  return new Set(rows.map(({ userId }) => userId));
}

async function readHolders(readMembers: ReadGuildMembers, guildId: string, roleId: string) {
  const holders: Holders['members'] = [];
  let after: string | null = null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await readMembers(guildId, after);
    for (const { userId, displayName, isBot, roleIds } of page.members)
      if (!isBot && roleIds.includes(roleId)) holders.push({ userId, displayName });
    after = page.after;
    if (after === null) break;
  }
  return { holders, isComplete: after === null };
}
