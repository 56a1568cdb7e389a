import type { Interaction } from '../../sandbox/discord/discord-state.ts';
import type { SandboxOptions } from '../../sandbox/start-sandbox.ts';
import { type CopiesWorld, startCopiesWorld } from './copies-world.ts';
import { type DiscordCopy, type DiscordCopyOptions, startDiscordCopy } from './discord-copy.ts';
import { until } from './until.ts';

/** The bot as in production: real discord.js against the sandbox's Discord, real PostgreSQL, any number of copies. */
export interface DiscordWorld extends CopiesWorld<DiscordCopy, DiscordCopyOptions> {
  rows(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** Fast enough for tests, with the proportions of production. */
const quickPace = {
  firstRetryMs: 100,
  longestRetryMs: 500,
  quietDropMs: 800,
  longestDropMs: 3_000,
  rewriteMs: 500,
  countEveryMs: 250,
  registerAgainMs: 500,
};

export async function startDiscordWorld(sandboxOptions: SandboxOptions = {}): Promise<DiscordWorld> {
  const world = await startCopiesWorld<DiscordCopy, DiscordCopyOptions>({
    sandboxOptions,
    pace: quickPace,
    initPath: '/api/discord/init',
    start: startDiscordCopy,
  });
  return { ...world, rows: (sql, values) => world.database.rows(sql, values) };
}

/** Waits for the bot's final answer to an interaction; returns its text. */
export async function answerTo(interaction: Interaction, deadlineMs = 10_000): Promise<string> {
  const said = () => interaction.answers.at(-1);
  const isSaid = () => {
    const last = said();
    return last !== undefined && !last.isLoading && last.content !== '';
  };
  await until(`the bot answers ${interaction.name}`, isSaid, deadlineMs);
  return said()!.content;
}

/** The row of discord_guilds, once the bot has written it. */
export async function knownGuild(world: DiscordWorld, guildId: string): Promise<Record<string, unknown>> {
  const find = () => world.rows('select * from discord_guilds where guild_id = $1 and left_at is null', [guildId]);
  await until(`server ${guildId} is known`, async () => (await find()).length === 1);
  return (await find())[0]!;
}

/** Inserts a member who has linked a wallet, with the rows that the role engine would write. */
export async function linkedMember(
  world: DiscordWorld,
  { guildId, userId, wallet }: { readonly guildId: string; readonly userId: string; readonly wallet: string },
): Promise<void> {
  await world.rows('insert into discord_members (guild_id, user_id, display_name) values ($1, $2, $3)', [
    guildId,
    userId,
    `member ${userId}`,
  ]);
  await world.rows('insert into discord_wallets (guild_id, wallet, user_id, scheme) values ($1, $2, $3, $4)', [
    guildId,
    wallet,
    userId,
    'ed25519',
  ]);
}
