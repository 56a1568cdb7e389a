import type { z } from 'zod';
import type { DiscordServer } from '../discord-server.ts';
import type { Channel, Guild, Member, Role } from '../discord-state.ts';
import { invalidFormOf, refusal } from '../refusal.ts';
import type { BucketKind } from '../rest-limits.ts';

/** A call with its path and body parsed and its caller checked. */
export type Call = {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: unknown;
  reason: string | null;
};

/** `body` undefined: no content. */
export type Reply = { status: number; body?: unknown };

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in the published description, without /api/v10. */
  path: string;
  /** 'token': any caller that knows the interaction's token. */
  access: 'bot' | 'token';
  bucket: BucketKind;
  run: (server: DiscordServer, call: Call) => Reply;
};

export const done: Reply = { status: 204 };
export const ok = (body: unknown): Reply => ({ status: 200, body });

/** Throws 50035 with every problem. */
export function readBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const read = schema.safeParse(body);
  if (!read.success) throw invalidFormOf(read.error);
  return read.data;
}

/** A server that the bot is in; any other is unknown to it. */
export function guildOf({ state }: DiscordServer, { params }: Call): Guild {
  const guild = state.guilds.get(params['guild_id'] ?? '');
  if (!guild?.hasBot) throw refusal('unknownGuild');
  return guild;
}

export function memberOf(guild: Guild, userId: string | undefined): Member {
  const member = guild.members.get(userId ?? '');
  if (!member) throw refusal('unknownMember');
  return member;
}

export function roleOf(guild: Guild, roleId: string | undefined): Role {
  const role = guild.roles.get(roleId ?? '');
  if (!role) throw refusal('unknownRole');
  return role;
}

/** The bot as a member. */
export function itself({ bot }: DiscordServer, guild: Guild): Member {
  return memberOf(guild, bot.id);
}

export type Place = { channel: Channel; guild: Guild };

/** A channel of a server; null for direct messages. */
export function placeOfCall({ state }: DiscordServer, { params }: Call): Place | null {
  const id = params['channel_id'] ?? '';
  if (state.directChannels.has(id)) return null;
  const channel = state.channels.get(id);
  const guild = state.guilds.get(channel?.guildId ?? '');
  if (!channel || !guild) throw refusal('unknownChannel');
  if (!guild.hasBot) throw refusal('missingAccess');
  return { channel, guild };
}
