import { createHash } from 'node:crypto';
import type { DiscordServer } from './discord-server.ts';
import type { Interaction, InteractionKind, Json } from './discord-state.ts';
import { directChannel, findChannel, findGuild, findMember, findUser, may, permissionsOf } from './finding.ts';
import { Impossible } from '../world/state.ts';
import { channelWire, directChannelWire, memberWire, userWire } from './wire.ts';

const keptInteractions = 1000;
const wireTypes: Record<InteractionKind, number> = { command: 2, button: 3, select: 3, modal: 5 };

export type NewInteraction = {
  kind: InteractionKind;
  userId: string;
  channelId: string;
  name: string;
  messageId: string | null;
  triggeredBy?: string;
  data: Json;
  /** The message with the component, as it goes over the wire. */
  message?: Json;
};

/** The channel of a person's action; direct messages if none is given. Refused if they cannot see it. */
export function placeOf(server: DiscordServer, userId: string, channelId?: string): string {
  const direct = directChannel(server, userId);
  if (channelId === undefined || channelId === direct.id) return direct.id;
  const channel = findChannel(server, channelId);
  const guild = findGuild(server, channel.guildId);
  if (!may(guild, findMember(guild, userId), ['VIEW_CHANNEL'], channel)) {
    throw new Impossible(`${userId} cannot see #${channel.name}`);
  }
  return channelId;
}

/** Sends an interaction to the bot; it fails without a callback in time. */
export function begin(server: DiscordServer, wanted: NewInteraction): Interaction {
  const { data, message, ...kept } = wanted;
  const id = server.ids.next();
  const interaction: Interaction = {
    ...kept,
    triggeredBy: wanted.triggeredBy ?? null,
    id,
    token: createHash('sha256').update(`sandbox/interaction/${id}/${server.token}`).digest('base64url').repeat(2),
    guildId: server.state.channels.get(wanted.channelId)?.guildId ?? null,
    atMs: server.now().getTime(),
    state: 'waiting',
    answeredAfterMs: null,
    originalMessageId: null,
    answers: [],
    modal: null,
  };
  const { interactions } = server.state;
  interactions.set(id, interaction);
  const oldest = interactions.keys().next().value;
  if (interactions.size > keptInteractions && oldest !== undefined) interactions.delete(oldest);
  beganAtMs.set(interaction, performance.now());
  setTimeout(() => {
    if (interaction.state === 'waiting') interaction.state = 'failed';
  }, server.settings.interactionDeadlineMs).unref();
  const payload = { ...interactionWire(server, interaction), data, ...(message && { message }) };
  server.gateway.emit({ name: 'INTERACTION_CREATE', data: payload, intent: 0, guildId: interaction.guildId });
  return interaction;
}

/** In real time, whatever the sandbox's clock says. */
const beganAtMs = new WeakMap<Interaction, number>();

export function ageMs(interaction: Interaction): number {
  return performance.now() - (beganAtMs.get(interaction) ?? -Infinity);
}

function interactionWire(server: DiscordServer, interaction: Interaction): Json {
  const user = findUser(server, interaction.userId);
  return {
    id: interaction.id,
    application_id: server.bot.id,
    type: wireTypes[interaction.kind],
    token: interaction.token,
    version: 1,
    channel_id: interaction.channelId,
    locale: 'en-US',
    entitlements: [],
    entitlement_sku_ids: [],
    attachment_size_limit: 10_485_760,
    authorizing_integration_owners: { '0': interaction.guildId ?? '0' },
    ...(interaction.guildId === null
      ? ofDirectMessages(server, interaction)
      : ofGuild(server, interaction, interaction.guildId)),
    ...(interaction.guildId === null && { user: userWire(user) }),
  };
}

function ofDirectMessages(server: DiscordServer, { userId }: Interaction): Json {
  const channel = directChannelWire(directChannel(server, userId), findUser(server, userId));
  return { context: 1, channel, app_permissions: '0' };
}

function ofGuild(server: DiscordServer, { userId, channelId }: Interaction, guildId: string): Json {
  const guild = findGuild(server, guildId);
  const channel = findChannel(server, channelId);
  const member = findMember(guild, userId);
  const bot = guild.members.get(server.bot.id);
  const permissions = String(permissionsOf(guild, member, channel));
  return {
    context: 0,
    guild_id: guild.id,
    guild_locale: 'en-US',
    guild: { id: guild.id, locale: 'en-US', features: [] },
    channel: { ...channelWire(channel), permissions },
    member: { ...memberWire(member, findUser(server, userId)), permissions },
    app_permissions: String(bot ? permissionsOf(guild, bot, channel) : 0n),
  };
}
