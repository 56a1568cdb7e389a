import type { DiscordServer } from './discord-server.ts';
import type { Interaction, Json, StoredMessage } from './discord-state.ts';
import { findMessages, findUser, may } from './finding.ts';
import { intents } from './gateway/intents.ts';
import { pingedBy } from './mentions.ts';
import type { AllowedMentions, MessageForm } from './message-form.ts';
import { ephemeralFlag, loadingFlag } from './message-form.ts';
import { timeWire, userWire } from './wire.ts';

const keptMessages = 500;
/** Discord's documentation, Create Message: 'checked for uniqueness in the past few minutes'. */
const nonceForMs = 5 * 60_000;

export type NewMessage = {
  channelId: string;
  authorId: string;
  form: MessageForm;
  ephemeralFor?: string | null;
  isLoading?: boolean;
  interactionId?: string;
};

/** Stores a message and sends its event. If the author has used the same enforced nonce, returns that message instead. */
export function post(server: DiscordServer, wanted: NewMessage): StoredMessage {
  const { channelId, form } = wanted;
  const existing = form.enforce_nonce === true ? withNonce(server, wanted) : undefined;
  if (existing) return existing;
  const guildId = server.state.channels.get(channelId)?.guildId ?? null;
  const message: StoredMessage = {
    id: server.ids.next(),
    channelId,
    guildId,
    atMs: server.now().getTime(),
    authorId: wanted.authorId,
    content: form.content ?? '',
    embeds: form.embeds ?? [],
    components: numbered(form.components ?? []),
    flags: flagsOf(form.flags ?? 0, wanted),
    ephemeralFor: wanted.ephemeralFor ?? null,
    isLoading: wanted.isLoading ?? false,
    interactionId: wanted.interactionId ?? null,
    pinged: { everyone: false, roleIds: [], userIds: [] },
    nonce: nonceOf(form),
    edits: [],
  };
  message.pinged = pingsOf(server, message, form.allowed_mentions);
  const messages = findMessages(server, channelId);
  messages?.push(message);
  if (messages && messages.length > keptMessages) messages.shift();
  tell(server, message, 'MESSAGE_CREATE');
  return message;
}

const nonceOf = ({ nonce }: MessageForm): string | null =>
  nonce === undefined || nonce === null ? null : String(nonce);

function withNonce(server: DiscordServer, { channelId, authorId, form }: NewMessage): StoredMessage | undefined {
  const nonce = nonceOf(form);
  const sinceMs = server.now().getTime() - nonceForMs;
  const isIt = (each: StoredMessage) => each.nonce === nonce && each.authorId === authorId && each.atMs >= sinceMs;
  return nonce === null ? undefined : findMessages(server, channelId)?.find(isIt);
}

function flagsOf(flags: number, { ephemeralFor, isLoading }: NewMessage): number {
  const kept = flags & ~ephemeralFlag & ~loadingFlag;
  return kept | (typeof ephemeralFor === 'string' ? ephemeralFlag : 0) | (isLoading ? loadingFlag : 0);
}

/** Gives every component its own id within the message. */
function numbered(components: readonly Json[]): Json[] {
  let last = 0;
  const number = (component: Json): Json => {
    last += 1;
    const id = last;
    const inner = component['components'];
    return { ...component, id, ...(Array.isArray(inner) && { components: (inner as Json[]).map(number) }) };
  };
  return components.map(number);
}

function pingsOf(server: DiscordServer, message: StoredMessage, allowed: AllowedMentions): StoredMessage['pinged'] {
  const guild = server.state.guilds.get(message.guildId ?? '') ?? null;
  const author = guild?.members.get(message.authorId);
  const mayPingAll = guild !== null && author !== undefined && may(guild, author, ['MENTION_EVERYONE']);
  return pingedBy({ content: message.content, allowed, guild, mayPingAll });
}

/** Omitted fields stay. An edit notifies nobody, unless it completes a deferred answer. */
export function edit(server: DiscordServer, message: StoredMessage, form: MessageForm): void {
  if (!message.isLoading) message.edits.push({ atMs: server.now().getTime(), content: message.content });
  if (form.content !== undefined) message.content = form.content ?? '';
  if (form.embeds !== undefined) message.embeds = form.embeds ?? [];
  if (form.components !== undefined) message.components = numbered(form.components ?? []);
  if (message.isLoading) {
    message.isLoading = false;
    message.flags &= ~loadingFlag;
    message.pinged = pingsOf(server, message, form.allowed_mentions);
  }
  tell(server, message, 'MESSAGE_UPDATE');
}

export function remove(server: DiscordServer, message: StoredMessage): void {
  const messages = findMessages(server, message.channelId);
  const index = messages?.indexOf(message) ?? -1;
  if (index >= 0) messages?.splice(index, 1);
  const interaction = server.state.interactions.get(message.interactionId ?? '');
  if (interaction) interaction.answers = interaction.answers.filter((each) => each !== message);
  if (message.ephemeralFor !== null) return;
  const data = { id: message.id, channel_id: message.channelId, ...(message.guildId && { guild_id: message.guildId }) };
  server.gateway.emit({ name: 'MESSAGE_DELETE', data, intent: intentOf(message), guildId: message.guildId });
}

const intentOf = ({ guildId }: StoredMessage): number =>
  guildId === null ? intents.DIRECT_MESSAGES : intents.GUILD_MESSAGES;

/** The gateway sends no events for ephemeral messages. */
function tell(server: DiscordServer, message: StoredMessage, name: string): void {
  if (message.ephemeralFor !== null) return;
  const { gateway } = server;
  const data = { ...messageWire(server, message), ...(message.guildId && { guild_id: message.guildId }) };
  gateway.emit({ name, data, intent: intentOf(message), guildId: message.guildId });
}

export function messageWire(server: DiscordServer, message: StoredMessage): Json {
  const interaction = server.state.interactions.get(message.interactionId ?? '');
  const lastEdit = message.edits.at(-1);
  return {
    id: message.id,
    type: interaction?.kind === 'command' ? 20 : 0,
    channel_id: message.channelId,
    author: userWire(findUser(server, message.authorId)),
    content: message.content,
    timestamp: timeWire(message.atMs),
    edited_timestamp: lastEdit ? timeWire(lastEdit.atMs) : null,
    tts: false,
    mention_everyone: message.pinged.everyone,
    mentions: message.pinged.userIds.flatMap((id) => server.state.users.get(id) ?? []).map(userWire),
    mention_roles: message.pinged.roleIds,
    attachments: [],
    embeds: message.embeds.map((embed) => ({ type: 'rich', ...embed })),
    components: message.components,
    pinned: false,
    flags: message.flags,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(interaction && {
      application_id: server.bot.id,
      webhook_id: server.bot.id,
      interaction_metadata: interactionMetadata(server, interaction),
    }),
  };
}

function interactionMetadata(server: DiscordServer, interaction: Interaction): Json {
  const kinds = { command: 2, button: 3, select: 3, modal: 5 } as const;
  const { id, userId, guildId, messageId } = interaction;
  const triggering = server.state.interactions.get(interaction.triggeredBy ?? '');
  return {
    id,
    type: kinds[interaction.kind],
    user: userWire(findUser(server, userId)),
    authorizing_integration_owners: { '0': guildId ?? '0' },
    ...(['button', 'select'].includes(interaction.kind) && { interacted_message_id: messageId }),
    ...(triggering && { triggering_interaction_metadata: interactionMetadata(server, triggering) }),
  };
}
