import { z } from 'zod';

import {
  type DiscordGuild,
  type DiscordStatusAnswer,
  discordStatusAnswer,
  guild,
  guildsAnswer,
  inviteUrlAnswer,
  staleGuildAnswer,
} from '../contract.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { Invalid } from '../../shared/failure.ts';
import { canonicalType } from '../../shared/sui-address.ts';
import type { Ownership } from '../ports.ts';
import { configureBody } from '../requests.ts';
import { type By, type Configuring, goneGuild } from '../servers/configuring.ts';
import type { GuildStore } from '../servers/guild-store.ts';
import { guildProblems, problemOfRole } from '../servers/rules/guild-problems.ts';
import type { KnownGuild } from '../servers/rules/known-guild.ts';
import { type Admin, adminOf, failure, versionOf, defineRoute, type Route } from '../../http/route.ts';
import { botServiceRoutes } from '../../http/bot-service-routes.ts';
import { failureBody } from '../../http/failure-answer.ts';
import { decisionRoutes } from '../roles/decide-removals.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import { walletRoutes } from './authorized-wallets.ts';
import { memberRoutes, ok, requireNft } from './http-members.ts';

interface DiscordCalls {
  readonly hasMarketKey: boolean;
  readonly configuring: Pick<Configuring, 'save'>;
  readonly ownership: Pick<Ownership, 'readNftType'>;
  readonly status: () => Promise<DiscordStatusAnswer>;
  /** Resolves when the bot has switched, has failed, or time is up. */
  readonly switchTo: (wanted: 'active' | 'inactive', by: Admin) => Promise<void>;
  readonly guilds: Pick<GuildStore, 'read' | 'present'>;
}

/** Admin calls of the community-server bot and its servers (specification 7, rulings R5, R6). */
export const discordRoutes = (calls: DiscordCalls): readonly Route[] => [
  ...botServiceRoutes({
    basePath: '/api/discord',
    called: 'the community-server bot',
    answer: discordStatusAnswer,
    status: calls.status,
    switchTo: calls.switchTo,
    noToken,
  }),
  ...botRoutes(calls),
  configureRoute(calls),
];

const noToken =
  'There is no bot token. Make an application in the Discord developer portal, copy the token of its bot, set DISCORD_BOT_TOKEN to it and restart the product.';

const botRoutes = ({ status, guilds, hasMarketKey }: DiscordCalls): readonly Route[] => {
  const whyOffline = async () => {
    const { state, online } = await status();
    if (state === 'not-configured') return failure(409, 'bot-not-configured', noToken);
    return online ? null : failure(409, 'bot-offline', 'The bot is offline. Start it first.');
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/discord/invite-url',
      access: 'operator',
      summary: 'The bot, and the link that invites it to a server; 409 while it is offline',
      answer: inviteUrlAnswer,
      handle: async () => {
        const { online, username, id } = await status();
        if (!online || username === null || id === null)
          return (await whyOffline()) ?? failure(409, 'bot-offline', 'The name of the bot is not known yet.');
        return ok({ username, id, invite_url: inviteUrl(id) });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/discord/guilds',
      access: 'operator',
      summary: 'The servers the bot is in, with their configuration and problems; 409 while it is offline',
      answer: guildsAnswer,
      handle: async () =>
        (await whyOffline()) ?? ok((await guilds.present()).map((guild) => presentGuild(guild, hasMarketKey))),
    }),
  ];
};

const configureRoute = (calls: DiscordCalls): Route =>
  defineRoute({
    method: 'POST',
    path: '/api/discord/configure',
    access: 'operator',
    summary: 'Set the NFT contract, display name, role and channel of a server',
    isVersioned: true,
    bodyBytes: 4 * 1_024,
    body: configureBody,
    answer: guild,
    failures: { 409: z.union([staleGuildAnswer, failureBody]) },
    handle: async ({ body: wanted, user, ifMatch }) => {
      const by = { actor: adminOf(user), ifVersion: versionOf(ifMatch) };
      const { kind, guild } = await saveConfiguration(calls, wanted, by);
      if (kind === 'saved') return ok(guild);
      const { guildId: _guildId, ...yours } = wanted;
      const message = 'Someone else changed this server meanwhile. Check its current configuration, then save again.';
      return { status: 409, body: { message, code: 'stale', current: guild, yours } };
    },
  });

const nameMax = 100;

/**
 * Specification 5: contract and name from the form, role and channel as given. Problems with role or channel are shown beside the
 * server and do not block the save (rulings R5). 'stale': someone else saved meanwhile, and nothing is saved. Throws Invalid if the
 * contract is not an NFT type and Unavailable if the chain cannot be read; nothing is saved then either.
 */
async function saveConfiguration(deps: DiscordCalls, wanted: z.infer<typeof configureBody>, by: By) {
  const { guilds, ownership, configuring } = deps;
  const { guildId, roleId, channelId, graceMinutes } = wanted;
  const before = await guilds.read(guildId);
  if (before?.isPresent !== true) throw goneGuild();
  const nftName = cleanText(wanted.nftName, nameMax);
  if (nftName === '') throw new Invalid('nft-name-required', 'The display name has no visible letter. Type a name.');
  // An unchanged contract is not checked again, so that a name can be changed while the chain is down.
  const known = before.config?.nftContract;
  const nftContract =
    canonicalType(wanted.nftContract) === known ? known : (await requireNft(ownership, wanted.nftContract)).nftType;
  const fields = { roleId, channelId: channelId || null, nftContract, nftName, graceMinutes };
  const kind = await configuring.save(guildId, fields, by);
  const after = await guilds.read(guildId);
  if (after === null) throw goneGuild();
  return { kind, guild: presentGuild(after, deps.hasMarketKey) };
}

/** A server as the dashboard shows it (specification 3, rulings R5): what the schema names is sent. Names are untrusted text. */
function presentGuild({ config, ...guild }: KnownGuild, hasMarketKey: boolean): DiscordGuild {
  return {
    ...guild,
    id: guild.guildId,
    ...(config !== null && { config: { ...config, channelId: config.channelId ?? undefined } }),
    roles: guild.roles.map((role) => ({ ...role, canBeGiven: problemOfRole(guild, role.id) === null })),
    channels: guild.channels.map((channel) => ({ ...channel, canPost: channel.canView && channel.canSend })),
    problems: [...guildProblems({ ...guild, config }, hasMarketKey)],
  };
}

/** Discord's permission bits (documentation, topics/permissions): View Channels, Send Messages, Embed Links, Manage Roles. */
const invitePermissions = (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 28n);

/** Where a server admin adds the bot. The bot's id is also its application's. */
const inviteUrl = (botId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${botId}&scope=bot+applications.commands&permissions=${invitePermissions}`;

/** What admins see and decide about members. */
export const roleRoutes = (deps: RolesDeps): readonly Route[] => [
  ...memberRoutes(deps),
  ...walletRoutes(deps),
  ...decisionRoutes(deps),
];
