import { expressionBuilder, type Kysely, type UpdateObject } from 'kysely';

import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { ChatLog } from './chat-log.ts';
import { leaveTopic } from '../configs/chat-topic.ts';
import { migrateChat, migrated } from '../configs/migrate-chat.ts';
import { forgetFileId, rememberFailure, rememberFileId } from '../pictures/pictures.ts';
import type { Message, Outcome } from './message.ts';

/** A shorter wait passes unnoticed. */
const longWaitMs = 120_000;
const badPictureAgainAfterMs = 24 * 3_600_000;

/** Stores the outcome of a message and what it says about its chat. Repeating it changes nothing. */
export const settleCard = (db: Kysely<Database>, chatLog: ChatLog, message: Message, outcome: Outcome): Promise<void> =>
  transact(db, async (trx) => {
    // Locks chats before messages, like all other code. A retried message leaves the chat's trouble as it is.
    if (outcome.kind !== 'sent') await lockChat(trx, message.chatId);
    else if (message.attempts === 0) await endTrouble(trx, message.chatId);
    const { columns, thenOfChat } = settlementOf(trx, message, outcome, chatLog);
    const { numUpdatedRows } = await trx
      .updateTable('telegramMessages')
      .set(columns)
      .where('id', '=', message.id)
      // Arrived is final, even if the message was queued again meanwhile.
      .where('state', 'in', outcome.kind === 'sent' ? ['sending', 'pending'] : ['sending'])
      .executeTakeFirst();
    // Otherwise it was settled already.
    if (numUpdatedRows === 1n) await thenOfChat?.();
  });

interface Settlement {
  readonly columns: UpdateObject<Database, 'telegramMessages'>;
  /** What the outcome says about the chat and the picture. */
  readonly thenOfChat?: () => Promise<void>;
}

function settlementOf(trx: Trx, message: Message, outcome: Outcome, chatLog: ChatLog): Settlement {
  const { chatId, content, editsMessageId } = message;
  const attempts = expressionBuilder<Database, 'telegramMessages'>()('attempts', '+', 1);
  switch (outcome.kind) {
    case 'sent':
      return {
        columns: {
          state: 'sent',
          sentAt: databaseNow,
          attempts,
          reason: null,
          platformMessageId: outcome.platformMessageId?.toString() ?? null,
          // An edit done twice is as it should be.
          isDoubtful: editsMessageId === null ? undefined : false,
        },
        thenOfChat: async () => {
          if (outcome.uploadedFileId === null || content.imageUrl === null) return;
          await rememberFileId(trx, content.imageUrl, outcome.uploadedFileId);
        },
      };
    case 'again':
      return {
        columns: {
          state: 'pending',
          attempts,
          reason: outcome.reason,
          // undefined leaves a column as it is.
          isDoubtful: outcome.isDoubtful ? true : undefined,
          form: outcome.form,
          topicId: outcome.leavesTopic === undefined ? undefined : null,
        },
        thenOfChat: () => noteAgain(trx, message, outcome, chatLog),
      };
    case 'limited':
      return { columns: { state: 'pending' }, thenOfChat: () => noteLimit(trx, chatId, outcome.retryAfterMs) };
    case 'removed':
      return {
        columns: { state: 'dropped', attempts, reason: outcome.reason },
        thenOfChat: () => dropChat(trx, chatId, outcome, chatLog),
      };
    case 'migrated':
      return {
        columns: { state: 'pending' },
        thenOfChat: async () => {
          if (await migrateChat(trx, chatId, outcome.toChatId)) await chatLog(migrated(chatId, outcome.toChatId), trx);
        },
      };
    default:
      return { columns: { state: 'failed', attempts, reason: outcome.reason } };
  }
}

const lockChat = (trx: Trx, chatId: string) =>
  trx
    .selectFrom('telegramChats')
    .select(['botStatus', 'removedAt'])
    .where('chatId', '=', chatId)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** A message that arrived shows that the bot may write. */
export async function endTrouble(db: Kysely<Database>, chatId: string): Promise<void> {
  await db
    .updateTable('telegramChats')
    .set({ trouble: null, troubleAt: null })
    .where('chatId', '=', chatId)
    .where('trouble', 'is not', null)
    .execute();
}

/** Kept for the next sending copy. */
export async function noteLimit(db: Kysely<Database>, chatId: string, retryAfterMs: number): Promise<void> {
  const until = new Date(Date.now() + retryAfterMs).toISOString().slice(0, 16).replace('T', ' ');
  await db
    .updateTable('telegramChats')
    .set((eb) => ({
      limitedUntil: eb.fn<Date>('greatest', [eb.ref('limitedUntil'), databaseNowPlus(retryAfterMs)]),
      ...(retryAfterMs >= longWaitMs && {
        trouble: `Telegram asks this chat to wait until ${until} UTC`,
        troubleAt: databaseNow,
      }),
    }))
    .where('chatId', '=', chatId)
    .execute();
}

async function noteAgain(
  trx: Trx,
  { chatId, topicId, content: { imageUrl }, editsMessageId }: Message,
  outcome: Extract<Outcome, { kind: 'again' }>,
  chatLog: ChatLog,
): Promise<void> {
  const { trouble, lacksPhotoRight = false } = outcome;
  if (trouble !== undefined || lacksPhotoRight) {
    await trx
      .updateTable('telegramChats')
      .set({
        ...(trouble !== undefined && { trouble, troubleAt: databaseNow }),
        canSendPhotos: lacksPhotoRight ? false : undefined,
      })
      .where('chatId', '=', chatId)
      .execute();
  }
  if (outcome.leavesTopic !== undefined && topicId !== null) {
    const topic = { chatId, topicId: String(topicId) };
    await leaveTopic(trx, topic, outcome.leavesTopic, chatLog);
  }
  // Someone deleted it: the next message of the card is sent anew, and edited from then on.
  if (outcome.losesCard === true) {
    await trx
      .updateTable('telegramMessages')
      .set({ platformMessageId: null })
      .where('chatId', '=', chatId)
      .where('runningKey', 'is not', null)
      .where('platformMessageId', '=', String(editsMessageId))
      .execute();
  }
  if (imageUrl === null) return;
  if (outcome.forgetsFileId === true) await forgetFileId(trx, imageUrl);
  if (outcome.badPicture === true) await rememberFailure(trx, imageUrl, outcome.reason, badPictureAgainAfterMs);
}

async function dropChat(
  trx: Trx,
  chatId: string,
  { reason, botStatus }: Extract<Outcome, { kind: 'removed' }>,
  chatLog: ChatLog,
): Promise<void> {
  const was = await lockChat(trx, chatId);
  await trx
    .updateTable('telegramChats')
    .set(({ fn }) => ({
      removedAt: fn.coalesce('removedAt', databaseNow),
      botStatus,
      trouble: reason,
      troubleAt: databaseNow,
    }))
    .where('chatId', '=', chatId)
    .execute();
  await trx
    .updateTable('telegramMessages')
    .set({ state: 'dropped', reason })
    .where('chatId', '=', chatId)
    .where('state', '=', 'pending')
    .execute();
  if (was === undefined || was.removedAt !== null) return;
  const change = { before: { bot: was.botStatus }, after: { bot: botStatus, reason } };
  await chatLog({ chatId, action: 'telegram-bot-removed', ...change }, trx);
}
