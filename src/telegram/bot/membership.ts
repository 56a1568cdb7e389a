import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { ChatFacts, ChatStore, KnownChat, Membership } from '../configs/chat-store.ts';
import { leaveTopic, returnToTopic } from '../configs/chat-topic.ts';
import { type Configuration, type ConfigurationStore, keptForMs } from '../configs/configuration-store.ts';
import { migrateChat, migrated } from '../configs/migrate-chat.ts';
import { dropPending } from '../send/delivery-store.ts';
import { followFromNow, listenerName } from '../configs/configuration-life.ts';
import type { Configuring } from '../configs/configuring.ts';
import type { CollectionTracking } from '../../market/contract.ts';
import type { Clock } from '../../shared/clock.ts';

type MembershipOutcome =
  /** `restored`: the collection that the group tracked before and tracks again. */
  | { readonly kind: 'added'; readonly restored: string | null }
  | { readonly kind: 'removed' }
  | { readonly kind: 'same' };

interface MembershipDeps {
  readonly db: Kysely<Database>;
  readonly chats: ChatStore;
  readonly configurations: ConfigurationStore;
  readonly tracking: CollectionTracking;
  readonly configuring: Pick<Configuring, 'logOfTelegram'>;
  readonly clock: Clock;
}

/** What becomes of a group's configuration when the bot joins, leaves, or the group gets another id. */
export interface Memberships {
  /** `wasInside`: the bot's previous state according to Telegram; used for an unknown chat. */
  note(chat: ChatFacts, membership: Membership, wasInside: boolean): Promise<MembershipOutcome>;
  /** A group became a supergroup: everything moves along (rulings R4). Safe to repeat. */
  migrate(fromChatId: number, toChatId: number): Promise<void>;
  /** A topic of the group was closed or reopened. */
  noteTopic(chatId: number, topicId: number, isOpen: boolean): Promise<void>;
}

export function createMemberships(deps: MembershipDeps): Memberships {
  const { db, chats, configurations, tracking, clock } = deps;
  const log = deps.configuring.logOfTelegram;
  const silence = async (trx: Trx, kept: Configuration, { kind }: ChatFacts): Promise<void> => {
    await tracking.unwatch(listenerName, kept.trackedCollectionId, kept.id, trx);
    // A basic group may be left because it becomes a supergroup: then its queue moves along.
    if (kind !== 'group') await dropPending(trx, kept.id, 'bot-removed');
  };
  return {
    note: (chat, membership, wasInside) =>
      transact(db, async (trx): Promise<MembershipOutcome> => {
        const before = await chats.noteMembership(trx, chat, membership);
        const wasOut = before === null ? !wasInside : before.removedAt !== null || isOutside(before.botStatus);
        const kept = await configurations.ofChat(chat.id, trx);
        if (isOutside(membership.status)) {
          if (kept !== null) await silence(trx, kept, chat);
          if (!wasOut) await log({ ...ofBot(chat, before, membership), action: 'telegram-bot-removed' }, trx);
          return { kind: wasOut ? 'same' : 'removed' };
        }
        if (!wasOut) return { kind: 'same' };
        if (kept === null) {
          const isMigrating = chat.kind === 'supergroup' && (await chats.mayBecomeSupergroup(trx, chat.title));
          return isMigrating ? { kind: 'same' } : { kind: 'added', restored: null };
        }
        const removedAt = before?.removedAt ?? null;
        if (removedAt !== null && isOverdue(removedAt, clock.now())) {
          await configurations.softDelete(trx, kept.id, 'the end of its 30 days', removedAt);
          return { kind: 'added', restored: null };
        }
        await dropPending(trx, kept.id, 'bot-removed');
        await followFromNow(trx, deps, kept);
        await log({ ...ofBot(chat, before, membership), action: 'telegram-bot-returned' }, trx);
        return { kind: 'added', restored: kept.collectionName };
      }),
    migrate: async (fromChatId, toChatId) => {
      await transact(db, async (trx) => {
        const isMoved = await migrateChat(trx, String(fromChatId), String(toChatId));
        if (isMoved) await log(migrated(fromChatId, toChatId), trx);
        // Telegram may have reported it as leaving one chat and joining another.
        const moved = await configurations.ofChat(toChatId, trx);
        if (moved !== null) await tracking.watch(listenerName, moved.trackedCollectionId, moved.id, trx);
      });
    },
    noteTopic: async (chatId, topicId, isOpen) => {
      const topic = { chatId: String(chatId), topicId: String(topicId) };
      await transact(db, async (trx) => {
        const chat = await chats.read(chatId, trx);
        if (isOpen) await returnToTopic(trx, topic, log);
        // An admin bot may be allowed to write there all the same; Telegram says so if not.
        else if (chat?.botStatus !== 'administrator') await leaveTopic(trx, topic, 'closed', log);
      });
    },
  };
}

const ofBot = ({ id }: ChatFacts, before: KnownChat | null, { status }: Membership) => ({
  chatId: id,
  before: { bot: before?.botStatus ?? null },
  after: { bot: status },
});

const isOutside = (status: Membership['status']): boolean => status === 'left' || status === 'kicked';

/** The purge runs every ten minutes; a configuration that is due for it is not restored. */
const isOverdue = (removedAt: Date, now: Date): boolean => now.getTime() - removedAt.getTime() > keptForMs;
