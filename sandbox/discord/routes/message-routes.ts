import type { DiscordServer } from '../discord-server.ts';
import type { StoredMessage } from '../discord-state.ts';
import { findMessages, may } from '../finding.ts';
import { readMessage, requireSomething } from '../message-form.ts';
import type { MessageForm } from '../message-form.ts';
import { edit, messageWire, post, remove } from '../messages.ts';
import type { PermissionName } from '../permissions.ts';
import { refusal } from '../refusal.ts';
import { channelWire, directChannelWire } from '../wire.ts';
import type { Call, Reply, Route } from './route.ts';
import { done, itself, ok, placeOfCall } from './route.ts';

/** Channels and their messages. */
export const messageRoutes: Route[] = [
  {
    method: 'GET',
    path: '/channels/{channel_id}',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      const direct = server.state.directChannels.get(call.params['channel_id'] ?? '');
      const recipient = server.state.users.get(direct?.userId ?? '');
      if (direct && recipient) return ok(directChannelWire(direct, recipient));
      const place = requireView(server, call);
      return place ? ok(channelWire(place.channel)) : ok(null);
    },
  },
  {
    method: 'GET',
    path: '/channels/{channel_id}/messages',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      requireView(server, call, ['READ_MESSAGE_HISTORY']);
      const limit = Math.min(100, Math.max(1, Number(call.query.get('limit') ?? 50)));
      const messages = publicMessages(server, call).slice(-limit).toReversed();
      return ok(messages.map((message) => messageWire(server, message)));
    },
  },
  {
    method: 'POST',
    path: '/channels/{channel_id}/messages',
    access: 'bot',
    bucket: 'messages',
    run: send,
  },
  {
    method: 'GET',
    path: '/channels/{channel_id}/messages/{message_id}',
    access: 'bot',
    bucket: 'other',
    run: (server, call) => {
      requireView(server, call, ['READ_MESSAGE_HISTORY']);
      return ok(messageWire(server, messageOf(server, call)));
    },
  },
  {
    method: 'PATCH',
    path: '/channels/{channel_id}/messages/{message_id}',
    access: 'bot',
    bucket: 'messages',
    run: (server, call) => {
      requireView(server, call);
      const message = messageOf(server, call);
      if (message.authorId !== server.bot.id) throw refusal('foreignMessage');
      const form = readMessage(call.body, { mayBeEmpty: true });
      requireContent(message, form);
      edit(server, message, form);
      return ok(messageWire(server, message));
    },
  },
  {
    method: 'DELETE',
    path: '/channels/{channel_id}/messages/{message_id}',
    access: 'bot',
    bucket: 'messages',
    run: (server, call) => {
      const place = requireView(server, call);
      const message = messageOf(server, call);
      const isOwn = message.authorId === server.bot.id;
      if (!isOwn && !(place && may(place.guild, itself(server, place.guild), ['MANAGE_MESSAGES'], place.channel))) {
        throw refusal('missingPermissions');
      }
      remove(server, message);
      return done;
    },
  },
];

/** Without sight of the channel the refusal is 'Missing Access', otherwise 'Missing Permissions'. */
function requireView(server: DiscordServer, call: Call, names: readonly PermissionName[] = []) {
  const place = placeOfCall(server, call);
  if (!place) return null;
  const bot = itself(server, place.guild);
  if (!may(place.guild, bot, ['VIEW_CHANNEL'], place.channel)) throw refusal('missingAccess');
  if (!may(place.guild, bot, names, place.channel)) throw refusal('missingPermissions');
  return place;
}

function publicMessages(server: DiscordServer, { params }: Call): StoredMessage[] {
  const messages = findMessages(server, params['channel_id'] ?? '') ?? [];
  return messages.filter(({ ephemeralFor }) => ephemeralFor === null);
}

function messageOf(server: DiscordServer, call: Call): StoredMessage {
  const message = publicMessages(server, call).find(({ id }) => id === call.params['message_id']);
  if (!message) throw refusal('unknownMessage');
  return message;
}

/** Refuses an edit that would leave the message empty. */
export function requireContent({ content, embeds, components }: StoredMessage, form: MessageForm): void {
  const after = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
  requireSomething({ content, embeds, components: components as MessageForm['components'], ...after });
}

function send(server: DiscordServer, call: Call): Reply {
  const needed: PermissionName[] = ['SEND_MESSAGES'];
  const form = readMessage(call.body, { mayBeEmpty: false });
  if ((form.embeds ?? []).length > 0) needed.push('EMBED_LINKS');
  const channelId = call.params['channel_id'] ?? '';
  const place = requireView(server, call, needed);
  if (place?.channel.kind === 'category') throw refusal('noTextChannel');
  if (!place) requireOpenDms(server, server.state.directChannels.get(channelId)?.userId ?? '');
  return ok(messageWire(server, post(server, { channelId, authorId: server.bot.id, form })));
}

/** A bot reaches only people who share a server with it and accept direct messages. */
function requireOpenDms({ state }: DiscordServer, userId: string): void {
  const isShared = [...state.guilds.values()].some(({ hasBot, members }) => hasBot && members.has(userId));
  if (!isShared || state.users.get(userId)?.hasClosedDms !== false) throw refusal('closedDms');
}
