import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { ClaimedMessage, Outcome, Settlement } from '../delivery/outbox.ts';
import { migrateChatRows } from './migrate-chat.ts';
import { chatOpensAt, ms, settleGate, withSettledChatTime } from './send-limits.ts';
import { rememberFailure, rememberFileId, forgetFileId } from './image-rows.ts';
import type { TelegramTables } from './tables.ts';

type Transaction = Kysely<TelegramTables>;

const badPictureAgainAfterMs = 24 * 3_600_000;

/**
 * Writes down what became of a message. Nothing of it counts when somebody else took the message over meanwhile, except
 * that it took its place within the limits.
 */
export async function settle(trx: Transaction, copy: string, { message, outcome }: Settlement): Promise<void> {
  await sql`update telegram_send_gate set ${settleGate(message.chargedAt, sql`clock_timestamp()`)}`.execute(trx);
  const isOurs = await setMessage(trx, copy, message, outcome);
  if (isOurs) await followUp(trx, message, outcome);
}

async function setMessage(trx: Transaction, copy: string, message: ClaimedMessage, outcome: Outcome): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update telegram_messages set claimed_by = null, claimed_until = null, ${assignments(outcome)}
    where id = ${message.id} and state = 'sending' and claimed_by = ${copy}`.execute(trx);
  return numAffectedRows === 1n;
}

function assignments(outcome: Outcome): RawBuilder<unknown> {
  switch (outcome.kind) {
    case 'sent':
      return sql`state = 'sent', sent_at = clock_timestamp(), attempts = attempts + 1, reason = null,
        platform_message_id = ${outcome.platformMessageId}`;
    case 'again':
      return sql`state = 'pending', attempts = attempts + 1, reason = ${outcome.reason},
        is_doubtful = is_doubtful or ${outcome.isDoubtful}, form = coalesce(${outcome.form ?? null}, form),
        topic_id = case when ${outcome.leavesTopic ?? false} then null else topic_id end`;
    case 'failed':
      return sql`state = 'failed', attempts = attempts + 1, reason = ${outcome.reason}`;
    case 'removed':
      return sql`state = 'dropped', attempts = attempts + 1, reason = ${outcome.reason}`;
    case 'limited':
    case 'migrated':
      return sql`state = 'pending'`;
  }
}

async function followUp(trx: Transaction, message: ClaimedMessage, outcome: Outcome): Promise<void> {
  const { chatId } = message;
  const delayMs = outcome.kind === 'again' ? outcome.delayMs : 0;
  const limitedMs = outcome.kind === 'limited' ? outcome.retryAfterMs : 0;
  await freeChat(trx, message, { delayMs, limitedMs });
  const imageUrl = message.content.imageUrl;
  switch (outcome.kind) {
    case 'sent':
      // A message that had to be tried again leaves the reason standing; the next one shows that all is well.
      if (message.attempts === 0) await clearTrouble(trx, chatId);
      if (outcome.uploadedFileId !== null && imageUrl !== null) {
        await rememberFileId(trx, imageUrl, outcome.uploadedFileId);
      }
      return;
    case 'again':
      await noteTrouble(trx, message, outcome);
      if (imageUrl !== null && outcome.forgetsFileId === true) await forgetFileId(trx, imageUrl);
      if (imageUrl !== null && outcome.badPicture === true) {
        await rememberFailure(trx, imageUrl, outcome.reason, badPictureAgainAfterMs);
      }
      return;
    case 'limited':
      return widenLimit(trx, chatId, outcome.retryAfterMs);
    case 'removed':
      return dropChat(trx, chatId, outcome);
    case 'migrated':
      await migrateChatRows(trx, chatId, outcome.toChatId);
      return;
    case 'failed':
  }
}

/** The chat's next turn: as its limits allow, and after the pause the outcome asks for. */
async function freeChat(
  trx: Transaction,
  { chatId, chargedAt }: ClaimedMessage,
  { delayMs, limitedMs }: { readonly delayMs: number; readonly limitedMs: number },
): Promise<void> {
  const now = sql`clock_timestamp()`;
  const times = withSettledChatTime(chargedAt, now);
  await sql`
    update telegram_chats set recent_sends = ${times},
      limited_until = greatest(limited_until, case when ${limitedMs} > 0 then ${now} + ${ms(limitedMs)} end),
      next_send_at = greatest(${chatOpensAt(times, 'delivery')}, ${now} + ${ms(Math.max(delayMs, limitedMs))})
    where chat_id = ${chatId}`.execute(trx);
}

async function clearTrouble(trx: Transaction, chatId: string): Promise<void> {
  await sql`
    update telegram_chats set trouble = null, trouble_at = null
    where chat_id = ${chatId} and trouble is not null`.execute(trx);
}

async function noteTrouble(
  trx: Transaction,
  { chatId, topicId }: ClaimedMessage,
  outcome: Extract<Outcome, { kind: 'again' }>,
): Promise<void> {
  if (outcome.trouble !== undefined) {
    await sql`
      update telegram_chats set trouble = ${outcome.trouble}, trouble_at = clock_timestamp()
      where chat_id = ${chatId}`.execute(trx);
  }
  if (outcome.lacksPhotoRight === true) {
    await sql`update telegram_chats set can_send_photos = false where chat_id = ${chatId}`.execute(trx);
  }
  if (outcome.leavesTopic === true) {
    await sql`
      update telegram_chats set topic_id = null where chat_id = ${chatId} and topic_id = ${topicId}`.execute(trx);
    await sql`
      update telegram_messages set topic_id = null
      where chat_id = ${chatId} and state = 'pending' and topic_id = ${topicId}`.execute(trx);
  }
}

/** A second chat that is told to wait while the first one still has to: the limit is the bot's own, so everything waits. */
export async function widenLimit(trx: Transaction, chatId: string, retryAfterMs: number): Promise<void> {
  const until = sql`clock_timestamp() + ${ms(retryAfterMs)}`;
  await sql`
    update telegram_send_gate set
      paused_until = case when limited_until > clock_timestamp() and limited_chat_id <> ${chatId}
        then greatest(paused_until, ${until}) else paused_until end,
      limited_chat_id = ${chatId}, limited_until = ${until}`.execute(trx);
}

async function dropChat(
  trx: Transaction,
  chatId: string,
  { reason, botStatus }: Extract<Outcome, { kind: 'removed' }>,
): Promise<void> {
  await sql`
    update telegram_chats set removed_at = coalesce(removed_at, clock_timestamp()), bot_status = ${botStatus},
      has_pending = false, trouble = ${reason}, trouble_at = clock_timestamp()
    where chat_id = ${chatId}`.execute(trx);
  await sql`
    update telegram_messages set state = 'dropped', reason = ${reason}
    where chat_id = ${chatId} and state = 'pending'`.execute(trx);
}
