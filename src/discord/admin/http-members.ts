import { transact } from '../../db/transaction.ts';
import { type Admin, adminOf, failure, defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';
import { dryRunAnswer } from '../contract.ts';
import { memberExplanation, type MemberExplanation, membersAnswer, statisticsAnswer } from '../members-contract.ts';
import type { Ownership } from '../ports.ts';
import { dryRunBody, guildParams, memberParams, membersQuery, memberWalletParams } from '../requests.ts';
import { checkAndWait, type WaitingDeps } from '../roles/check-requests.ts';
import { explainMember, type ExplainingDeps } from '../roles/explain-member.ts';
import { unlinkWallet } from '../roles/linking.ts';
import { memberSubject, readMember } from '../roles/member-store.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import type { MemberRecord } from '../roles/rules/decide.ts';
import { knownGuildName, unknownGuild } from '../servers/guild-store.ts';
import { dryRun } from './role-reports.ts';
import { readMembers, readStatistics } from './statistics-store.ts';

type MemberRoutesDeps = ExplainingDeps & WaitingDeps & Pick<RolesDeps, 'audit' | 'ownership'>;

const searchMax = 100;

/** Rulings R5 and R6: server figures, why a member has the role or not, and dry runs. */
export const memberRoutes = (deps: MemberRoutesDeps): readonly Route[] => [...figureRoutes(deps), ...whyRoutes(deps)];

const figureRoutes = (deps: MemberRoutesDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/statistics',
    access: 'operator',
    summary: 'Members, wallets, role changes and the last sweep of a server',
    params: guildParams,
    answer: statisticsAnswer,
    handle: async ({ params: { guildId } }) => {
      const statistics = await readStatistics(deps.db, guildId);
      if (statistics === null) throw unknownGuild();
      return ok(statistics);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/members',
    access: 'operator',
    summary: 'Members with a linked wallet or the role, 50 a page; search: part of a name, an id or an address',
    params: guildParams,
    query: membersQuery,
    answer: membersAnswer,
    handle: async ({ params: { guildId }, query: { search = '', after = null } }) => {
      await knownGuildName(deps.db, guildId);
      return ok(await readMembers(deps.db, guildId, { search: cleanText(search, searchMax) || null, after }));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/dry-run',
    access: 'operator',
    summary: 'What saving this NFT contract would do; changes nothing',
    params: guildParams,
    bodyBytes: 4 * 1_024,
    body: dryRunBody,
    answer: dryRunAnswer,
    handle: async ({ params: { guildId }, body }) => {
      await knownGuildName(deps.db, guildId);
      return ok(await dryRun(deps, guildId, await requireNft(deps.ownership, body.nftContract)));
    },
  }),
];

const whyRoutes = (deps: MemberRoutesDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/members/{userId}',
    access: 'operator',
    summary: 'Why a member has the role or not: each rule, each wallet and the last check',
    params: memberParams,
    answer: memberExplanation,
    handle: async ({ params: { guildId, userId } }) => memberOr404(await explainMember(deps, guildId, userId)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/members/{userId}/resolve',
    access: 'operator',
    summary: 'Check a member now and apply the result; joins a check that is already running',
    params: memberParams,
    answer: memberExplanation,
    handle: async ({ params: { guildId, userId }, user }) => {
      await resolveMember(deps, guildId, userId, adminOf(user));
      return memberOr404(await explainMember(deps, guildId, userId));
    },
  }),
  // One wallet, one member per server: a member whose wallet someone else has linked asks an admin, who unlinks it here.
  defineRoute({
    method: 'DELETE',
    path: '/api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}',
    access: 'operator',
    summary: 'Unlink a wallet of a member; the role ends only after two checks find nothing in their other wallets',
    params: memberWalletParams,
    answer: memberExplanation,
    handle: async ({ params: { guildId, userId, wallet }, user }) => {
      if (await unlinkWallet(deps, { guildId, userId }, checkedWallet(wallet), adminOf(user)))
        return memberOr404(await explainMember(deps, guildId, userId));
      throw new Refused('not-found', 'This wallet is not linked to this member. Refresh the page.');
    },
  }),
];

export const ok = (data: unknown): RouteAnswer => ({ data });

export function checkedWallet(text: string): string {
  const wallet = canonicalWallet(text);
  if (wallet === null) throw new Invalid('invalid-wallet', 'A wallet address is 0x and 64 hexadecimal digits.');
  return wallet;
}

const exampleNftType = '0x12345::module::Type';
const nftRefusals = {
  missing: [
    'nft-contract-missing',
    `There is no such type on the Sui network. Check address, module and name, as in ${exampleNftType}.`,
  ],
  malformed: ['nft-contract-malformed', `The NFT contract is a type of the form ${exampleNftType}.`],
  coin: ['not-an-nft', `This is a coin, not an NFT. Give the type of the NFTs themselves, as in ${exampleNftType}.`],
  'no-object': [
    'not-an-nft',
    `Nobody can own an object of this type, so it is not an NFT. Give the type of the NFTs, as in ${exampleNftType}.`,
  ],
} as const;

/** The NFT type that an admin entered as the contract. Throws Invalid if it is none, and Unavailable. */
export async function requireNft(ownership: Pick<Ownership, 'readNftType'>, text: string) {
  const answer = await ownership.readNftType(text);
  if (answer.kind === 'nft') return answer;
  const [code, message] = nftRefusals[answer.kind === 'not-an-nft' ? answer.problem : answer.kind];
  throw new Invalid(code, message);
}

const memberOr404 = (explanation: MemberExplanation | null): RouteAnswer =>
  explanation === null
    ? failure(404, 'not-found', 'This member has linked no wallet in this server.')
    : ok(explanation);

/** 'Resolve' (rulings R6): checks a member now and applies the result; the log of changes records who asked and the result. */
async function resolveMember(deps: MemberRoutesDeps, guildId: string, userId: string, actor: Admin): Promise<void> {
  const { db, audit } = deps;
  const before = await readMember(db, guildId, userId);
  if (before === null) return;
  await checkAndWait(deps, before, 'asked-by-admin');
  const after = await readMember(db, guildId, userId);
  // Nothing is logged about a member who deleted their data meanwhile.
  if (after === null) return;
  const entry = { actor, action: 'discord-member-resolved', subject: memberSubject(after) };
  await transact(db, (trx) => audit.record({ ...entry, before: found(before), after: found(after) }, trx));
}

const found = ({ roleState, answer, hasRole }: MemberRecord) => ({ roleState, answer, hasRole });
