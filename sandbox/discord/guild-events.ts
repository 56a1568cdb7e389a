import type { DiscordServer } from './discord-server.ts';
import type { Guild, Json, Member } from './discord-state.ts';
import { findUser } from './finding.ts';
import { intents } from './gateway/intents.ts';
import { memberWire } from './wire.ts';

/** Sends a server's event if the bot is a member and the server has no outage. */
export function tellGuild(
  { gateway }: DiscordServer,
  guild: Guild,
  name: string,
  data: Json,
  intent: number = intents.GUILDS,
): void {
  if (guild.hasBot && guild.isAvailable) gateway.emit({ name, data, intent, guildId: guild.id });
}

export function tellMember(
  server: DiscordServer,
  guild: Guild,
  member: Member,
  name: 'GUILD_MEMBER_ADD' | 'GUILD_MEMBER_UPDATE',
): void {
  const data = { ...memberWire(member, findUser(server, member.userId)), guild_id: guild.id };
  // Events about the bot itself need no intent.
  tellGuild(server, guild, name, data, member.userId === server.bot.id ? 0 : intents.GUILD_MEMBERS);
}
