import type { Channel, ChannelKind, DirectChannel, DiscordUser, Guild, Json, Member, Role } from './discord-state.ts';

/** Objects as sent over the wire, in Discord's own names (API v10). */

export function userWire(user: DiscordUser): Json {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.isBot ? '0000' : '0',
    global_name: user.globalName,
    avatar: null,
    banner: null,
    accent_color: null,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
    public_flags: 0,
    flags: 0,
    ...(user.isBot && { bot: true }),
  };
}

export function memberWire(member: Member, user: DiscordUser): Json {
  return {
    user: userWire(user),
    nick: member.nick,
    avatar: null,
    banner: null,
    roles: member.roleIds,
    joined_at: timeWire(member.joinedAtMs),
    premium_since: null,
    communication_disabled_until: null,
    collectibles: null,
    deaf: false,
    mute: false,
    pending: member.isPending,
    flags: 0,
  };
}

export function roleWire(role: Role): Json {
  return {
    id: role.id,
    name: role.name,
    permissions: String(role.permissions),
    position: role.position,
    color: role.color,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: role.isManaged,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    tags: role.botId === null ? {} : { bot_id: role.botId },
    flags: 0,
  };
}

export const channelTypes: Readonly<Record<ChannelKind, number>> = { text: 0, voice: 2, category: 4, announcement: 5 };

export function channelWire(channel: Channel): Json {
  return {
    id: channel.id,
    type: channelTypes[channel.kind],
    guild_id: channel.guildId,
    name: channel.name,
    position: channel.position,
    parent_id: channel.parentId,
    permission_overwrites: channel.overwrites.map(({ id, kind, allow, deny }) => ({
      id,
      type: kind === 'role' ? 0 : 1,
      allow: String(allow),
      deny: String(deny),
    })),
    last_message_id: channel.messages.at(-1)?.id ?? null,
    topic: null,
    nsfw: false,
    rate_limit_per_user: 0,
    flags: 0,
  };
}

export function directChannelWire(channel: DirectChannel, recipient: DiscordUser): Json {
  return {
    id: channel.id,
    type: 1,
    last_message_id: channel.messages.at(-1)?.id ?? null,
    flags: 0,
    recipients: [userWire(recipient)],
  };
}

/** As in GET /guilds/{id}. */
export function guildWire(guild: Guild): Json {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    roles: [...guild.roles.values()].map(roleWire),
    ...constantsOfGuild,
  };
}

const constantsOfGuild: Json = {
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  features: [],
  banner: null,
  application_id: null,
  region: 'us-central',
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 1,
  default_message_notifications: 1,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: 'en-US',
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  emojis: [],
  stickers: [],
  incidents_data: null,
};

/** GUILD_CREATE, with the fields the gateway adds. Its only member is the bot, which can request the others. */
export function guildCreateWire(guild: Guild, bot: DiscordUser): Json {
  const itself = guild.members.get(bot.id);
  return {
    ...guildWire(guild),
    joined_at: timeWire(itself?.joinedAtMs ?? 0),
    large: guild.members.size > 50,
    unavailable: false,
    member_count: guild.members.size,
    members: itself ? [memberWire(itself, bot)] : [],
    channels: [...guild.channels.values()].map(channelWire),
    threads: [],
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

export function timeWire(atMs: number): string {
  return new Date(atMs).toISOString().replace('Z', '000+00:00');
}
