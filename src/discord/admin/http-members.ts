import { dryRunAnswer, type DryRunAnswer, dryRunBody, guildParams } from '../contract.ts';
import {
  memberAnswer,
  type MemberExplanation,
  memberParams,
  membersAnswer,
  type MembersAnswer,
  membersQuery,
  statisticsAnswer,
  type StatisticsAnswer,
  unverifiedHoldersAnswer,
  type UnverifiedHoldersAnswer,
} from '../members-contract.ts';
import { type Admin, adminOf, failure } from '../../http/admin-call.ts';
import { defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { Refused } from '../../shared/failure.ts';

export interface MemberCalls {
  /** null: the bot has never been in that server. */
  readonly statistics: (guildId: string) => Promise<StatisticsAnswer['data'] | null>;
  /** The bot is or was in that server. */
  readonly isKnown: (guildId: string) => Promise<boolean>;
  readonly members: (
    guildId: string,
    page: { readonly search: string | null; readonly after: string | null },
  ) => Promise<MembersAnswer['data']>;
  /** null: they have linked nothing there. */
  readonly explain: (guildId: string, userId: string) => Promise<MemberExplanation | null>;
  /** Checks again now and applies the result. */
  readonly resolve: (guildId: string, userId: string, by: Admin) => Promise<MemberExplanation | null>;
  readonly dryRun: (guildId: string, nftContract: string) => Promise<DryRunAnswer['data']>;
}

/** As in the query. */
const searchMax = 100;

/** Rulings R5 and R6: server figures, why a member has the role or not, and dry runs. */
export const memberRoutes = (calls: MemberCalls): readonly Route[] => [...figureRoutes(calls), ...whyRoutes(calls)];

const figureRoutes = (calls: MemberCalls): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/statistics',
    access: 'admin',
    summary: 'Members, wallets, role changes and the last sweep of a server',
    params: guildParams,
    answer: statisticsAnswer,
    handle: async ({ params }) => ok(await knownGuild(calls, params.guildId)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/members',
    access: 'admin',
    summary: 'Members with a linked wallet or the role, 50 a page; search: a part of a name, an id or an address',
    params: guildParams,
    query: membersQuery,
    answer: membersAnswer,
    handle: async ({ params: { guildId }, query }) => {
      const { search = '', after = null } = query;
      if (!(await calls.isKnown(guildId))) throw unknownGuild();
      return ok(await calls.members(guildId, { search: cleanText(search, searchMax) || null, after }));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/dry-run',
    access: 'admin',
    summary: 'What saving this NFT contract would do; changes nothing',
    params: guildParams,
    bodyBytes: 4 * 1_024,
    body: dryRunBody,
    answer: dryRunAnswer,
    handle: async ({ params: { guildId }, body }) => {
      await knownGuild(calls, guildId);
      return ok(await calls.dryRun(guildId, body.nftContract));
    },
  }),
];

const whyRoutes = (calls: MemberCalls): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/members/{userId}',
    access: 'admin',
    summary: 'Why a member has the role or not: each rule, each wallet and the last check',
    params: memberParams,
    answer: memberAnswer,
    handle: async ({ params: { guildId, userId } }) => {
      return memberOr404(await calls.explain(guildId, userId));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/members/{userId}/resolve',
    access: 'admin',
    summary: 'Check a member now and do what follows; joins a check that is under way',
    params: memberParams,
    answer: memberAnswer,
    handle: async ({ params: { guildId, userId }, user }) => {
      return memberOr404(await calls.resolve(guildId, userId, adminOf(user)));
    },
  }),
];

const ok = (data: unknown): RouteAnswer => ({ status: 200, body: { data } });

async function knownGuild({ statistics }: MemberCalls, guildId: string): Promise<StatisticsAnswer['data']> {
  const found = await statistics(guildId);
  if (found !== null) return found;
  throw unknownGuild();
}

export const unknownGuild = (): Refused => new Refused('not-found', 'The bot is not in this server. Refresh the list.');

export const memberOr404 = (explanation: MemberExplanation | null): RouteAnswer =>
  explanation === null
    ? failure(404, 'not-found', 'This member has linked no wallet in this server.')
    : ok(explanation);

type Read = (guildId: string) => Promise<UnverifiedHoldersAnswer['data']>;

/** Rulings R6: role holders without a linked wallet. */
export const unverifiedRoutes = (read: Read): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/unverified-holders',
    access: 'admin',
    summary: 'Members who have the holder role and have linked no wallet: from another bot, or by hand',
    params: guildParams,
    answer: unverifiedHoldersAnswer,
    handle: async ({ params }) => ({ status: 200, body: { data: await read(params.guildId) } }),
  }),
];
