import { afterEach, beforeEach } from 'vitest';

import type { DiscordCopy } from './discord-copy.ts';
import { answerTo, type DiscordWorld, knownGuild, linkedMember, startDiscordWorld } from './discord-world.ts';
import { until } from './until.ts';

/** A running bot in the seeded server, and people who type commands there. */
export function discordCommandScene() {
  let world: DiscordWorld;
  let copy: DiscordCopy;
  beforeEach(async () => {
    world = await startDiscordWorld();
    copy = await world.activeCopy();
    await until('the commands are registered', () => discord().commands().length === 6);
    await knownGuild(world, discord().seeded.guildId);
  });
  afterEach(() => world.end());

  const discord = () => world.sandbox.discord;
  const [gwenAt, benAt] = [0, 1];
  const memberId = (at: number): string => discord().seeded.memberIds[at] ?? '';
  const say = (name: string, userId: string, options?: Record<string, string>) =>
    discord().command({ userId, channelId: discord().seeded.channels.welcome, name, ...(options && { options }) });
  const setUp = async (role = discord().seeded.roles.holder, channel = discord().seeded.channels.verify) =>
    answerTo(say('setup', discord().seeded.ownerId, { role, channel }));
  const panels = (channelId: string) =>
    discord()
      .history(channelId)
      .filter(({ ephemeralFor, components }) => ephemeralFor === null && components.length > 0);
  const configOf = async (guildId = discord().seeded.guildId) =>
    (await world.rows('select * from discord_guild_configs where guild_id = $1', [guildId]))[0];
  const linkGwen = async () => {
    const { address } = world.sandbox.wallets.person('Granite Gwen');
    await linkedMember(world, { guildId: discord().seeded.guildId, userId: memberId(gwenAt), wallet: address });
    return address;
  };
  return {
    world: () => world,
    copy: () => copy,
    discord,
    memberId,
    say,
    setUp,
    panels,
    configOf,
    linkGwen,
    gwenAt,
    benAt,
  };
}
