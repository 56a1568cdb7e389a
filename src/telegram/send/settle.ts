import { expressionBuilder, type Kysely, type UpdateObject } from 'kysely';

import { publishInTransaction } from '../../db/change-signal.ts';
import { databaseNow, databaseNowPlus } from '../../db/expressions.ts';
import { createOutageLog, databaseOutage, untilDone } from '../../db/outage.ts';
import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import {
  type ChatParts,
  leaveTopic,
  liveConfiguration,
  lockForMigration,
  logChatChange,
  migrateChat,
} from '../configs/chat-changes.ts';
import { lockChat } from '../configs/chat-store.ts';
import { dropWaiting } from '../configs/configuration-store.ts';
import { listenerName } from '../configs/configuring.ts';
import { cardsTopic } from './enqueue-messages.ts';
import { forgetCard, readLimitedChats, readSentLately, requeueMessages, takeOverMessages } from './message-store.ts';
import type { SendLimits } from './limits.ts';
import type { Log } from '../../process/logger.ts';
import type { Message, Outcome } from './message.ts';
import { forgetFileId, rememberFailure, rememberFileId } from './pictures.ts';

/** What a killed copy was sending may arrive a second later, and a chat gets one message a second. */
const inDoubtForMs = 2_000;
/** A shorter wait is not noted as the chat's trouble. */
const longWaitMs = 120_000;
const badPictureAgainAfterMs = 24 * 3_600_000;

interface OutcomeParts extends ChatParts {
  readonly db: Kysely<Database>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Stores the outcome of sent messages. An outcome is not lost when the database is down: it is stored once that is back,
 * if need be by the next take-over, and until then this copy knows that the message is not in doubt.
 */
export function createOutcomeStore({ db, log, ...parts }: OutcomeParts) {
  const outages = createOutageLog(log, 'Outcomes of sent messages could not be stored');
  const unwritten = new Map<string, () => Promise<void>>();
  return {
    /** Counts recent messages towards the limits; those with an unknown outcome are in doubt. Throws database errors. */
    takeOver: async (limits: SendLimits): Promise<void> => {
      for (const [id, write] of unwritten) {
        await write().catch((error: unknown) => {
          if (databaseOutage(error) !== null) throw error;
          // In doubt, as if this copy had been killed: it must not block the others.
          outages.failed(error);
          unwritten.delete(id);
        });
      }
      const inDoubt = await takeOverMessages(db);
      // In the database, as this copy may be killed before that time is over.
      const chatIds = new Set(inDoubt.map(({ chatId }) => chatId));
      await Promise.all([...chatIds].map((chatId) => noteLimit(db, chatId, inDoubtForMs)));
      // Read last: a killed copy's last outcome may be stored in this very moment.
      const [sent, limited] = await Promise.all([readSentLately(db), readLimitedChats(db)]);
      limits.load([...sent, ...inDoubt.map((each) => ({ ...each, agoMs: 0 }))], limited);
    },
    /** For a message that a copy marked as being sent without receiving the database's answer. */
    requeue: async (id: string): Promise<void> => {
      if (!unwritten.has(id)) await requeueMessages(db).where('id', '=', id).execute();
    },
    settle: async (message: Message, outcome: Outcome, abandoned: AbortSignal): Promise<void> => {
      const write = async (): Promise<void> => {
        await transact(db, (trx) => settle(trx, parts, message, outcome));
        unwritten.delete(message.id);
      };
      unwritten.set(message.id, write);
      await untilDone(write, outages, abandoned);
    },
  };
}
export type OutcomeStore = ReturnType<typeof createOutcomeStore>;

/** Stores the outcome of a message and what it says about its chat. Repeating it changes nothing. */
async function settle(trx: Trx, parts: ChatParts, message: Message, outcome: Outcome): Promise<void> {
  // Locks chats before messages, like all other code.
  if (outcome.kind === 'sent') await noteArrived(trx, message.chatId, outcome);
  else if (outcome.kind === 'migrated') await lockForMigration(trx, message.chatId, outcome.toChatId);
  else await lockChat(trx, message.chatId);
  const { columns, thenOfChat } = settlementOf(trx, parts, message, outcome);
  const { numUpdatedRows } = await trx
    .updateTable('telegramMessages')
    .set(columns)
    .where('id', '=', message.id)
    // Arrived is final, even if the message was queued again or dropped meanwhile.
    .where('state', 'in', outcome.kind === 'sent' ? ['sending', 'pending', 'dropped'] : ['sending'])
    .executeTakeFirst();
  // Otherwise it was settled already.
  if (numUpdatedRows === 1n) await thenOfChat?.();
}

interface Settlement {
  readonly columns: UpdateObject<Database, 'telegramMessages'>;
  readonly thenOfChat?: () => Promise<void>;
}

function settlementOf(trx: Trx, parts: ChatParts, message: Message, outcome: Outcome): Settlement {
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
          // An edit may be done twice.
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
          // undefined leaves a column unchanged.
          isDoubtful: doubtAfter(outcome),
          form: outcome.form,
          topicId: outcome.leavesTopic === undefined ? undefined : null,
        },
        thenOfChat: () => noteAgain(trx, parts, message, outcome),
      };
    case 'limited':
      return { columns: { state: 'pending' }, thenOfChat: () => noteWait(trx, message, outcome.retryAfterMs) };
    case 'removed':
      return {
        columns: { state: 'dropped', attempts, reason: outcome.reason },
        thenOfChat: () => dropChat(trx, parts, message, outcome),
      };
    case 'migrated':
      return {
        columns: { state: 'pending' },
        thenOfChat: () => migrateChat(trx, parts, chatId, outcome.toChatId),
      };
    case 'failed':
      return {
        // A failed reply is not reported, and cannot be retried.
        columns: { state: message.isReply ? 'dropped' : 'failed', attempts, reason: outcome.reason },
        thenOfChat: async () => {
          if (outcome.trouble !== undefined) await noteTrouble(trx, chatId, outcome.trouble);
        },
      };
    default:
      return outcome satisfies never;
  }
}

type Again = Extract<Outcome, { kind: 'again' }>;

const doubtAfter = ({ isCardGone, isDoubtful }: Again): boolean | undefined => {
  // The message that replaces a lost card was never sent.
  if (isCardGone === true) return false;
  return isDoubtful ? true : undefined;
};

const updateChat = (db: Kysely<Database>, chatId: string) =>
  db.updateTable('telegramChats').where('chatId', '=', chatId);

async function noteTrouble(trx: Trx, chatId: string, trouble: string): Promise<void> {
  await updateChat(trx, chatId).set({ trouble }).execute();
}

/**
 * A message that arrived shows what the bot may do there. Telegram reports neither a change of a group's permissions nor
 * the end of a mute that was for some time, so only this clears what was noted. Cards that waited are tried at once.
 */
export async function noteArrived(
  db: Kysely<Database>,
  chatId: string,
  { hasPhoto }: { readonly hasPhoto: boolean },
): Promise<void> {
  const right = hasPhoto ? 'canSendPhotos' : 'canSendMessages';
  const cured = await updateChat(db, chatId)
    .set({ trouble: null, [right]: true })
    .where((chat) => chat.or([chat('trouble', 'is not', null), chat(right, '=', false)]))
    .returning('chatId')
    .executeTakeFirst();
  if (cured !== undefined) await publishInTransaction(db, cardsTopic);
}

/** Stored for the next sending copy. */
async function noteLimit(db: Kysely<Database>, chatId: string, retryAfterMs: number): Promise<void> {
  await updateChat(db, chatId)
    .set((eb) => ({ limitedUntil: eb.fn<Date>('greatest', [eb.ref('limitedUntil'), databaseNowPlus(retryAfterMs)]) }))
    .execute();
}

async function noteWait(trx: Trx, { chatId, isReply }: Message, retryAfterMs: number): Promise<void> {
  await noteLimit(trx, chatId, retryAfterMs);
  // A reply is dropped by then, and nothing that follows it would end the trouble.
  if (isReply || retryAfterMs < longWaitMs) return;
  const until = new Date(Date.now() + retryAfterMs).toISOString().slice(0, 16).replace('T', ' ');
  // Admins 'ignore slow mode' (Bot API, ChatMemberAdministrator), which no answer names.
  const sentence = `Too Many Requests: wait until ${until} UTC; if the group has slow mode, make the bot an admin`;
  await noteTrouble(trx, chatId, sentence);
}

async function noteAgain(trx: Trx, parts: ChatParts, message: Message, outcome: Again): Promise<void> {
  const { chatId, topicId } = message;
  const { imageUrl } = message.content;
  const { trouble, leavesTopic } = outcome;
  if (trouble !== undefined) await noteTrouble(trx, chatId, trouble);
  if (outcome.lacksPhotoRight === true) await updateChat(trx, chatId).set({ canSendPhotos: false }).execute();
  if (leavesTopic !== undefined && topicId !== null) {
    await leaveTopic(trx, parts, { chatId, topicId: String(topicId) }, leavesTopic);
  }
  if (outcome.isCardGone === true) await forgetCard(trx, message);
  if (imageUrl === null) return;
  if (outcome.isFileIdInvalid === true) await forgetFileId(trx, imageUrl);
  if (outcome.isPictureBad === true) await rememberFailure(trx, imageUrl, badPictureAgainAfterMs);
}

async function dropChat(
  trx: Trx,
  parts: ChatParts,
  { chatId, isReply }: Message,
  { reason, botStatus }: Extract<Outcome, { kind: 'removed' }>,
): Promise<void> {
  // A person who blocked the bot may write to it again, before Telegram reports a change.
  if (isReply && !chatId.startsWith('-')) return;
  const before = await lockChat(trx, chatId);
  await updateChat(trx, chatId)
    .set(({ fn }) => ({ trouble: reason, botStatus, removedAt: fn.coalesce('removedAt', databaseNow) }))
    .execute();
  await dropWaiting(trx, { chatId }, reason);
  const live = await liveConfiguration(trx, chatId);
  if (live !== undefined) await parts.activity.unwatch(listenerName, BigInt(live.trackedCollectionId), live.id, trx);
  if (before === undefined || before.removedAt !== null) return;
  const change = { before: { bot: before.botStatus }, after: { bot: botStatus, reason } };
  await logChatChange(trx, parts, { chatId, action: 'telegram-bot-removed', ...change });
}
