import { Impossible } from '../world/state.ts';
import type { CommandOption, OptionValue } from './command-options.ts';
import { fillOptions } from './command-options.ts';
import type { DiscordServer } from './discord-server.ts';
import type { Channel, Guild, Interaction, Json, Member, StoredMessage } from './discord-state.ts';
import { findGuild, findMember, findMessages, findUser, may, permissionsOf } from './finding.ts';
import { begin, placeOf } from './interaction-events.ts';
import { post } from './messages.ts';

export type Typed = {
  userId: string;
  channelId?: string | undefined;
  name: string;
  subcommand?: string;
  options?: Readonly<Record<string, OptionValue>>;
};

type Registered = Json & {
  id: string;
  name: string;
  options?: CommandOption[];
  default_member_permissions: string | null;
  contexts: number[] | null;
};

/** Sends a person's slash command as their client would. */
export function command(server: DiscordServer, wanted: Typed): Interaction {
  const channelId = placeOf(server, wanted.userId, wanted.channelId);
  const channel = server.state.channels.get(channelId);
  const guild = channel ? findGuild(server, channel.guildId) : null;
  const registered = findCommand(server, guild, wanted.name);
  if (guild && channel) checkAllowed(registered, guild, findMember(guild, wanted.userId), channel);
  const context = guild ? 0 : 1;
  if (registered.contexts?.includes(context) === false) throw new Impossible(`/${wanted.name} cannot be used here`);
  const { options, resolved } = optionsOf(server, guild, registered, wanted);
  const isOfGuild = guild !== null && server.state.commands.get(guild.id)?.includes(registered) === true;
  return begin(server, {
    kind: 'command',
    userId: wanted.userId,
    channelId,
    name: wanted.name,
    messageId: null,
    data: {
      id: registered.id,
      name: registered.name,
      type: 1,
      ...(options.length > 0 && { options }),
      ...(Object.keys(resolved).length > 0 && { resolved }),
      ...(isOfGuild && { guild_id: guild.id }),
    },
  });
}

function findCommand({ state }: DiscordServer, guild: Guild | null, name: string): Registered {
  const all = [...(state.commands.get(guild?.id ?? '') ?? []), ...(state.commands.get('global') ?? [])];
  const found = all.find((each) => each['name'] === name && each['type'] === 1);
  if (!found) throw new Impossible(`The bot has no command /${name}`);
  return found as Registered;
}

/** `default_member_permissions`: '0' means administrators only. */
function checkAllowed(registered: Registered, guild: Guild, member: Member, channel: Channel): void {
  const { default_member_permissions: needed, name } = registered;
  if (!guild.hasBot) throw new Impossible(`The bot is not in ${guild.name}`);
  if (!may(guild, member, ['USE_APPLICATION_COMMANDS'], channel)) throw new Impossible('No commands in this channel');
  if (needed === null || may(guild, member, ['ADMINISTRATOR'])) return;
  const isEnough = needed !== '0' && (permissionsOf(guild, member) & BigInt(needed)) === BigInt(needed);
  if (!isEnough) throw new Impossible(`${member.userId} may not use /${name}`);
}

function optionsOf(server: DiscordServer, guild: Guild | null, registered: Registered, wanted: Typed) {
  const all = registered.options ?? [];
  const subcommands = all.filter(({ type }) => type === 1);
  if (subcommands.length === 0) {
    if (wanted.subcommand !== undefined) throw new Impossible(`/${wanted.name} has no subcommands`);
    return fillOptions(server, guild, all, wanted.options ?? {});
  }
  const chosen = subcommands.find(({ name }) => name === wanted.subcommand);
  if (!chosen) throw new Impossible(`Choose a subcommand: ${subcommands.map(({ name }) => name).join(', ')}`);
  const { options, resolved } = fillOptions(server, guild, chosen.options ?? [], wanted.options ?? {});
  return { options: [{ name: chosen.name, type: 1, options }], resolved };
}

type Said = { userId: string; channelId?: string | undefined; content: string };

export function say(server: DiscordServer, { userId, channelId, content }: Said): StoredMessage {
  const place = placeOf(server, userId, channelId);
  return post(server, { channelId: place, authorId: findUser(server, userId).id, form: { content } });
}

/** What one person sees, oldest first. */
export function sees(server: DiscordServer, userId: string, channelId?: string): StoredMessage[] {
  const messages = findMessages(server, placeOf(server, userId, channelId)) ?? [];
  return messages.filter(({ ephemeralFor }) => ephemeralFor === null || ephemeralFor === userId);
}
