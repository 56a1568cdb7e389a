import type { DiscordControl } from '../discord/discord-control.ts';
import type { Channel, DiscordUser, Guild, Member, StoredMessage } from '../discord/discord-state.ts';
import { Impossible } from '../world/state.ts';
import type { TextFacts } from './discord-text.ts';

/** The place shown in the sandbox's Discord, and the person it is shown as. */
export type DiscordView = {
  discord: DiscordControl;
  guild: Guild;
  /** null: the person's direct messages with the bot. */
  channel: Channel | null;
  person: DiscordUser;
  /** null: not in this server. */
  member: Member | null;
  nowMs: number;
  linkTo: TextFacts['linkTo'];
};

/** The requested server, channel and person; by default the first server, its first channel and its owner. */
export function discordViewOf(
  around: Pick<DiscordView, 'discord' | 'nowMs' | 'linkTo'>,
  query: URLSearchParams,
): DiscordView | null {
  const { discord } = around;
  const guilds = discord.guilds();
  const guild = guilds.find(({ id }) => id === query.get('guild')) ?? guilds[0];
  const people = discord.users().filter(({ isBot }) => !isBot);
  const person = people.find(({ id }) => id === query.get('as')) ?? people.find(({ id }) => id === guild?.ownerId);
  if (!guild || !person) return null;
  const channels = textChannels(guild);
  const wanted = channels.find(({ id }) => id === query.get('channel')) ?? channels[0] ?? null;
  return {
    ...around,
    guild,
    channel: query.get('channel') === 'dm' ? null : wanted,
    person,
    member: guild.members.get(person.id) ?? null,
  };
}

export function textChannels(guild: Guild): Channel[] {
  return [...guild.channels.values()].filter(({ kind }) => kind === 'text' || kind === 'announcement');
}

/** The URL of a view; omitted parts stay as in the current one. */
export function placeUrl(view: DiscordView, other: { guild?: string; channel?: string; as?: string } = {}): string {
  const channel = other.guild === undefined ? (view.channel?.id ?? 'dm') : '';
  const query = new URLSearchParams({ guild: view.guild.id, channel, as: view.person.id, ...other });
  return `/discord?${query.toString()}`;
}

/** The channel of the bot's panel, if any, so that switching to another person shows its button at once. */
export function panelPlace({ guild, channel }: DiscordView): { channel: string } | null {
  const hasPanel = ({ messages }: Channel): boolean =>
    messages.some(({ components, ephemeralFor }) => components.length > 0 && ephemeralFor === null);
  const panel = channel === null ? undefined : textChannels(guild).find(hasPanel);
  return panel === undefined ? null : { channel: panel.id };
}

export function nameOfUser({ globalName, username }: DiscordUser): string {
  return globalName ?? username;
}

/** The person's name in this server. */
export function memberName({ discord, guild }: Pick<DiscordView, 'discord' | 'guild'>, userId: string): string {
  const user = discord.users().find(({ id }) => id === userId);
  return guild.members.get(userId)?.nick ?? (user ? nameOfUser(user) : `unknown user (${userId})`);
}

/** The messages the person sees here; null without access. */
export function seenHere({ discord, channel, person }: DiscordView): StoredMessage[] | null {
  try {
    return discord.sees(channel ? { userId: person.id, channelId: channel.id } : { userId: person.id });
  } catch (error) {
    if (error instanceof Impossible) return null;
    throw error;
  }
}

export function textFacts(view: DiscordView): TextFacts {
  const { discord, guild, linkTo } = view;
  const names = {
    user: (id: string) => memberName(view, id),
    role: (id: string) => guild.roles.get(id)?.name ?? 'deleted-role',
    channel: (id: string) =>
      discord.guilds().flatMap(({ channels }) => channels.get(id)?.name ?? [])[0] ?? 'deleted-channel',
  };
  return { linkTo, nameOf: (kind, id) => names[kind](id) };
}
