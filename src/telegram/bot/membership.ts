import { GrammyError } from 'grammy';
import type { ChatMember, Message } from 'grammy/types';

import { transact } from '../../db/transaction.ts';
import { type ChatFacts, hasLeft, type KnownChat, type Membership } from '../configs/chat-store.ts';
import { noteTopicReopened, migrateChat, logChatChange } from '../configs/chat-changes.ts';
import { followFromNow, listenerName } from '../configs/configuring.ts';
import { dropWaiting, deletedRetentionMs } from '../configs/configuration-store.ts';
import { restoredNotice } from '../cards/chat-texts.ts';
import { insertMessages } from '../send/enqueue-messages.ts';
import { factsOf } from '../commands/answering.ts';
import type { BotDeps } from '../bot-deps.ts';

/**
 * Updates a group's configuration when the bot joins or leaves. `wasInside`: whether the bot was a member before,
 * according to Telegram; used for a chat not stored yet. Returns whether the bot is new there and should introduce
 * itself. The notice of a restored configuration goes through the chat's queue, so that it survives a failed send.
 */
export const noteMembership = (
  deps: BotDeps,
  chat: ChatFacts,
  membership: Membership,
  { wasInside }: { readonly wasInside: boolean },
): Promise<boolean> =>
  transact(deps.db, async (trx) => {
    const { chats, configurations } = deps;
    const before = await chats.noteMembership(trx, chat, membership);
    const wasOut = before === null ? !wasInside : isOut(before);
    const configuration = await configurations.ofChat(chat.id, trx);
    if (hasLeft(membership.status)) {
      if (configuration !== null)
        await deps.activity.unwatch(listenerName, configuration.trackedCollectionId, configuration.id, trx);
      if (!wasOut)
        await logChatChange(trx, deps, { ...ofBot(chat, before, membership), action: 'telegram-bot-removed' });
      return false;
    }
    if (!wasOut) return false;
    await dropWaiting(trx, { chatId: String(chat.id) }, 'bot-removed');
    if (configuration === null) return true;
    const removedAt = before?.removedAt ?? null;
    // The purge runs every ten minutes; a configuration that is due for it is not restored.
    if (removedAt !== null && deps.clock.now().getTime() - removedAt.getTime() > deletedRetentionMs) {
      await configurations.softDelete(trx, configuration.id, 'the end of its 30 days', removedAt);
      return true;
    }
    await followFromNow(trx, deps, configuration);
    await logChatChange(trx, deps, { ...ofBot(chat, before, membership), action: 'telegram-bot-returned' });
    const { id: configurationId, chatId, collectionName } = configuration;
    const content = restoredNotice(collectionName);
    await insertMessages(trx, [{ chatId, configurationId, kind: 'notice', content }]);
    return false;
  });

const isOut = ({ removedAt, botStatus }: KnownChat): boolean => removedAt !== null || hasLeft(botStatus);

/**
 * When a group becomes a supergroup, Telegram may report the supergroup as newly joined before it reports the migration.
 * Asked about the old group, it names the new one.
 */
export async function hasMigratedTo({ api, chats }: BotDeps, { id, kind, title }: ChatFacts): Promise<boolean> {
  if (kind !== 'supergroup') return false;
  for (const oldId of await chats.basicNamesakes(title)) {
    const movedTo = await api.getChatMemberCount(oldId).then(
      () => null,
      (error: unknown) => (error instanceof GrammyError ? error.parameters.migrate_to_chat_id : null),
    );
    if (movedTo === id) return true;
  }
  return false;
}

const ofBot = ({ id }: ChatFacts, before: KnownChat | null, { status }: Membership) => ({
  chatId: id,
  before: { bot: before?.botStatus ?? null },
  after: { bot: status },
});

/** A restricted member may have left; an admin or a plain member has no restrictions of their own. */
export function membershipOf(member: ChatMember): Membership {
  if (member.status !== 'restricted') {
    const status = member.status === 'creator' ? 'administrator' : member.status;
    return { status, canSendMessages: true, canSendPhotos: true };
  }
  return {
    status: member.is_member ? 'restricted' : 'left',
    canSendMessages: member.can_send_messages,
    canSendPhotos: member.can_send_photos,
  };
}

export async function noteGroupChange(deps: BotDeps, message: Message): Promise<void> {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from, message_thread_id: topicId } = message;
  if (to !== undefined) await noteMigration(deps, chat.id, to);
  if (from !== undefined) await noteMigration(deps, from, chat.id);
  if (message.new_chat_title !== undefined) await deps.chats.save(factsOf(chat));
  if (message.forum_topic_reopened === undefined) return;
  const topic = { chatId: String(chat.id), topicId: topicId?.toString() ?? null };
  await transact(deps.db, (trx) => noteTopicReopened(trx, deps, topic));
}

/** A group became a supergroup: everything moves with it (rulings R4). Safe to repeat. */
const noteMigration = (deps: BotDeps, fromChatId: number, toChatId: number): Promise<void> =>
  transact(deps.db, async (trx) => {
    await migrateChat(trx, deps, String(fromChatId), String(toChatId));
    // Telegram may have reported the migration as leaving one chat and joining another.
    const moved = await deps.configurations.ofChat(toChatId, trx);
    if (moved !== null) await deps.activity.watch(listenerName, moved.trackedCollectionId, moved.id, trx);
  });
