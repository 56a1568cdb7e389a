import { botPace } from '../bot-service/bot-runner.ts';
import { describeService, runningFigure, type ServiceStore } from '../bot-service/service-store.ts';
import { Unavailable } from '../shared/failure.ts';
import type { Figure } from '../db/figures.ts';
import type { DiscordStatusAnswer } from './contract.ts';
import { isPaused, presentGuildsWithDue } from './servers/guild-config-store.ts';
import { isFailed } from './roles/member-roles.ts';
import type { GuildStore } from './servers/guild-store.ts';

/** Tests shorten these. */
export const discordPace = {
  ...botPace,
  /** From the first attempt to the first ready shard, and from each shard to the next: they start one after the other. */
  readyWithinMs: 20_000,
  /** Shorter drops are not reported. */
  quietDropMs: 3_000,
  /** After this long without any shard, new connections are made; ten times as long while others are connected. */
  longestDropMs: 30_000,
  /** Delay before storing Discord's events is retried. */
  rewriteMs: 5_000,
  /** Delay before a server is saved with its new member count while members join and leave. */
  countEveryMs: 30_000,
  /** Discord's time to answer one request for members. */
  membersWithinMs: 15_000,
  /** Delay before refused commands are registered again: Discord counts refusals too. */
  registerAgainMs: 60_000,
};
export type DiscordPace = Readonly<typeof discordPace>;

export interface BotWork {
  /** Stops accepting work; resolves when running work has finished. */
  stop(): Promise<void>;
}

interface StatusDeps {
  readonly store: ServiceStore;
  readonly guilds: Pick<GuildStore, 'countPresent'>;
  readonly hasToken: boolean;
}

/** GET /api/discord/status, the same from any copy. */
export async function readStatus({ store, guilds, hasToken }: StatusDeps): Promise<DiscordStatusAnswer> {
  const [row, guildCount] = await Promise.all([store.read(), guilds.countPresent()]);
  const service = describeService(row, hasToken);
  return { ...service, online: service.state === 'active', id: hasToken ? row.botId : null, guildCount };
}

/** Counting stops here: a long queue must not slow down its own measuring. */
const countMax = 10_000;
const countOf = (rows: string): string => `select count(*) from (select 1 from ${rows} limit ${countMax}) counted`;
const overdue = (dueAt: string, rows: string): string =>
  `select greatest(0, extract(epoch from clock_timestamp() - ${dueAt})) from ${rows} order by ${dueAt} limit 1`;
/**
 * Nothing is done in servers that the bot has left, so nothing there is overdue (roles/roles.ts). Not a join: with a few large servers
 * the database would read all their members.
 */
const isPresent = (row: string): string =>
  `(select left_at is null from discord_guilds g where g.guild_id = ${row}.guild_id)`;

/** Only of servers the bot is in. */
const firstDue = (table: 'discord_member_roles' | 'discord_direct_messages', dueAt: string, where = 'true'): string =>
  `select ${dueAt} as due_at from ${presentGuildsWithDue(table)} cross join lateral (
    select due_at from ${table} where guild_id = g.guild_id and due_at is not null and ${where} order by due_at limit 1) r`;
/** While Discord refuses a server's role changes, none is overdue; while it does not answer, all are, since it stopped answering. */
const roleDueAt = `case when not ${isPaused} or roles_pause_reason is null then due_at
  when roles_unanswered_since is not null then least(due_at, roles_unanswered_since) end`;

/** What an operator needs to know about the Discord bot (docs/operations.md). Times by the database's clock. */
export const discordFigures: readonly Figure[] = [
  {
    name: 'discord_bot_running',
    help: '1: the bot runs; 0: it should run but does not; absent: it is switched off',
    sql: runningFigure('discord'),
  },
  {
    name: 'discord_waiting_actions',
    help: `Role changes waiting, at most ${countMax}`,
    sql: countOf(`discord_member_roles where due_at is not null`),
  },
  {
    name: 'discord_overdue_action_seconds',
    // Without payout messages: there may be hundreds, sent one a second, and nothing waits for them.
    help: 'How long the oldest due role change, or message before a removal, is overdue',
    sql: overdue(
      'due_at',
      `(${firstDue('discord_member_roles', roleDueAt)} union all ${firstDue('discord_direct_messages', 'due_at', 'payout is null')}) due`,
    ),
  },
  {
    name: 'discord_overdue_check_seconds',
    help: 'How long the oldest due check of a member is overdue',
    sql: overdue(
      'check_due_at',
      `discord_members m where check_due_at is not null and is_in_guild and ${isPresent('m')}`,
    ),
  },
  {
    name: 'discord_overdue_sweep_seconds',
    help: 'How long the oldest due full check of a server is overdue',
    sql: overdue('sweep_due_at', `discord_guild_configs c where ${isPresent('c')}`),
  },
  {
    name: 'discord_waiting_removals',
    help: 'Servers where a mass removal waits for the decision of an admin',
    sql: `select count(*) from discord_removal_batches b where state = 'waiting' and ${isPresent('b')}`,
  },
  {
    name: 'discord_failed_actions',
    help: `Role changes that Discord refused and that are still pending, at most ${countMax}`,
    sql: countOf(`discord_member_roles r where ${isFailed}`),
  },
];

export const otherBotReason = 'discord-other-bot';

/** A token begins with the bot's id in base64 (Discord's documentation, Reference, Authentication); null: this one does not. */
export function tokenBotId(botToken: string | null): string | null {
  const id = Buffer.from(botToken?.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{5,20}$/.test(id) ? id : null;
}

/** The token belongs to a different bot from the one the servers know; `knownAs`: the name of the known bot, or null. */
export const otherBot = (knownAs: string | null): Unavailable => {
  const known = knownAs === null ? 'the bot' : `${knownAs}, the bot`;
  const sentence = `DISCORD_BOT_TOKEN is not the token of ${known} that the servers know. Put back that bot's token and restart the product; to change bots on purpose, press 'Stop trying', then 'Start', invite the new bot to every server, and use /setup there again, as the button of the old bot's panel no longer works.`;
  return new Unavailable(otherBotReason, sentence);
};
