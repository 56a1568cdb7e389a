import { z } from 'zod';
import type { DiscordServer } from '../discord-server.ts';
import type { Guild, Json } from '../discord-state.ts';
import { directChannel, permissionsOf } from '../finding.ts';
import { kickBot } from '../guild-life.ts';
import { refusal } from '../refusal.ts';
import { directChannelWire, userWire } from '../wire.ts';
import type { Route } from './route.ts';
import { done, guildOf, itself, ok, readBody } from './route.ts';

const sessionsADay = 1000;

function gatewayWire({ gateway }: DiscordServer): Json {
  const { identifies } = gateway.counts;
  const { maxConcurrency } = gateway.settings.sharding;
  return {
    url: gateway.address(),
    shards: gateway.recommendedShards(),
    session_start_limit: {
      total: sessionsADay,
      remaining: Math.max(0, sessionsADay - identifies),
      reset_after: 14_400_000,
      max_concurrency: maxConcurrency,
    },
  };
}

function applicationWire({ bot, state }: DiscordServer): Json {
  const installed = [...state.guilds.values()].filter(({ hasBot }) => hasBot).length;
  return {
    id: bot.id,
    name: bot.username,
    icon: null,
    description: '',
    type: null,
    bot: userWire(bot),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: 1 << 15,
    flags_new: String(1 << 15),
    eligible_oauth2_scopes: ['applications.commands', 'bot'],
    approximate_guild_count: installed,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    redirect_uris: [],
    interactions_endpoint_url: null,
    event_webhooks_status: 1,
    event_webhooks_types: [],
    role_connections_verification_url: null,
    explicit_content_filter: 0,
    owner: { ...userWire(bot), id: '1191000000000000002', username: 'rocks-team', bot: false },
    team: null,
  };
}

const ownGuild = (server: DiscordServer, guild: Guild): Json => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  banner: null,
  owner: guild.ownerId === server.bot.id,
  permissions: String(permissionsOf(guild, itself(server, guild))),
  features: [],
});

/** Routes about the bot itself, and for opening direct messages. */
export const ownRoutes: Route[] = [
  {
    method: 'GET',
    path: '/gateway/bot',
    access: 'bot',
    bucket: 'other',
    run: (server) => ok(gatewayWire(server)),
  },
  {
    method: 'GET',
    path: '/users/@me',
    access: 'bot',
    bucket: 'other',
    run: ({ bot }) => ok({ ...userWire(bot), mfa_enabled: true, locale: 'en-US', verified: true, email: null }),
  },
  {
    method: 'GET',
    path: '/users/{user_id}',
    access: 'bot',
    bucket: 'other',
    run: ({ state }, { params }) => {
      const user = state.users.get(params['user_id'] ?? '');
      if (!user) throw refusal('unknownUser');
      return ok(userWire(user));
    },
  },
  ...['/applications/@me', '/oauth2/applications/@me'].map((path): Route => ({
    method: 'GET',
    path,
    access: 'bot',
    bucket: 'other',
    run: (server) => ok(applicationWire(server)),
  })),
  {
    method: 'GET',
    path: '/users/@me/guilds',
    access: 'bot',
    bucket: 'other',
    run: (server) => {
      const guilds = [...server.state.guilds.values()].filter(({ hasBot }) => hasBot);
      return ok(guilds.slice(0, 200).map((guild) => ownGuild(server, guild)));
    },
  },
  {
    method: 'DELETE',
    path: '/users/@me/guilds/{guild_id}',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      kickBot(server, { guildId: guildOf(server, call).id });
      return done;
    },
  },
  {
    method: 'POST',
    path: '/users/@me/channels',
    access: 'bot',
    bucket: 'other',
    run: (server, { body }) => {
      const { recipient_id: userId } = readBody(z.object({ recipient_id: z.string() }), body);
      const user = server.state.users.get(userId);
      if (!user) throw refusal('invalidRecipient');
      if (user.isBot) throw refusal('closedDms');
      return ok(directChannelWire(directChannel(server, userId), user));
    },
  },
];
