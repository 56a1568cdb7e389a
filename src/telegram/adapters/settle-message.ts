import { type RawBuilder, sql, type Transaction as DatabaseTransaction } from 'kysely';

import { openTransaction } from '../../db/open-transaction.ts';
import type { ClaimedMessage, Outcome, Settlement } from '../delivery/outbox.ts';
import type { ChatLog } from './chat-log.ts';
import { leaveTopic } from './chat-topic.ts';
import { migrateChatRows, migrated } from './migrate-chat.ts';
import {
  arrivesWithinMs,
  chatOpensAt,
  ms,
  opensAt,
  settledOverallTimes,
  withoutInFlight,
  withSettledChatTime,
} from './send-limits.ts';
import { rememberFailure, rememberFileId, forgetFileId } from './image-rows.ts';
import type { TelegramTables } from './tables.ts';

type Transaction = DatabaseTransaction<TelegramTables>;

/** A shorter wait passes before anybody wonders. */
const longWaitMs = 120_000;
const badPictureAgainAfterMs = 24 * 3_600_000;

/**
 * Writes down what became of a message. Nothing of it counts when somebody else took the message over meanwhile, except
 * that it took its place within the limits.
 */
export async function settle(
  trx: Transaction,
  { copy, chatLog }: { readonly copy: string; readonly chatLog: ChatLog },
  settlement: Settlement,
): Promise<void> {
  const { message, outcome } = settlement;
  const times = settledOverallTimes(message.gateEntry, arrivalOf(settlement));
  await sql`
    update telegram_send_gate set recent_sends = ${times}, next_send_at = ${opensAt(times)},
      ${withoutInFlight(message.gateEntry)} ${outcome.kind === 'sent' ? sql`, ${limitOfOneChat}` : sql``}`.execute(trx);
  const { rows } = await sql`
    with message as (${settledMessage(copy, settlement)}) ${settledChat(settlement)} returning 1`.execute(trx);
  if (rows.length === 1) await followUp(trx, message, outcome, chatLog);
}

/** When the message had arrived at the latest, by the database's clock. */
export const arrivalOf = ({ message, arrivedAfterMs }: Settlement): RawBuilder<Date> =>
  sql`(${message.gateEntry}::timestamptz + ${ms(arrivedAfterMs - arrivesWithinMs)})`;

/** No row: somebody else has taken it over. */
export const settledMessage = (copy: string, { message, outcome }: Settlement): RawBuilder<unknown> => sql`
  update telegram_messages set claimed_by = null, claimed_until = null, ${assignments(message, outcome)}
  where id = ${message.id} and state = 'sending' and claimed_by = ${copy}
  returning chat_id`;

/** Of the `message` of a statement. The chat's next turn comes as its limits allow, and after the pause that is asked for. */
export function settledChat(settlement: Settlement): RawBuilder<unknown> {
  const { message, outcome } = settlement;
  const delayMs = outcome.kind === 'again' ? outcome.delayMs : 0;
  const limitedMs = outcome.kind === 'limited' ? outcome.retryAfterMs : 0;
  const times = withSettledChatTime(message.gateEntry, arrivalOf(settlement));
  const pausedUntil = sql`clock_timestamp() + ${ms(Math.max(delayMs, limitedMs))}`;
  // A message that had to be tried again leaves the trouble standing; the next one shows that all is well.
  const isWell = outcome.kind === 'sent' && message.attempts === 0;
  const isFailing = delayMs > 0 ? true : outcome.kind === 'sent' ? false : null;
  return sql`
    update telegram_chats set recent_sends = ${times},
      limited_until = greatest(limited_until, case when ${limitedMs} > 0 then ${pausedUntil} end),
      next_send_at = greatest(${chatOpensAt(times, 'delivery')}, ${pausedUntil})
      ${isFailing === null ? sql`` : sql`, is_failing = ${isFailing}`}
      ${limitedMs >= longWaitMs ? sql`, trouble = ${waitTrouble(limitedMs)}, trouble_at = clock_timestamp()` : sql``}
      ${isWell ? sql`, trouble = null, trouble_at = null` : sql``}
    where chat_id = (select chat_id from message)`;
}

const waitTrouble = (limitedMs: number): RawBuilder<string> => sql`'Telegram asks this chat to wait until ' ||
  to_char((clock_timestamp() + ${ms(limitedMs)}) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')`;

function assignments({ editsMessageId }: ClaimedMessage, outcome: Outcome): RawBuilder<unknown> {
  switch (outcome.kind) {
    case 'sent':
      return sql`state = 'sent', sent_at = clock_timestamp(), attempts = attempts + 1, reason = null,
        platform_message_id = ${outcome.platformMessageId},
        is_doubtful = is_doubtful and ${editsMessageId === null}`;
    case 'again':
      return sql`state = 'pending', attempts = attempts + 1, reason = ${outcome.reason},
        is_doubtful = is_doubtful or ${outcome.isDoubtful}, form = coalesce(${outcome.form ?? null}, form),
        topic_id = case when ${outcome.leavesTopic !== undefined} then null else topic_id end`;
    case 'failed':
      return sql`state = 'failed', attempts = attempts + 1, reason = ${outcome.reason}`;
    case 'removed':
      return sql`state = 'dropped', attempts = attempts + 1, reason = ${outcome.reason}`;
    default:
      return sql`state = 'pending'`;
  }
}

async function followUp(trx: Transaction, message: ClaimedMessage, outcome: Outcome, chatLog: ChatLog): Promise<void> {
  const { chatId, content } = message;
  const { imageUrl } = content;
  switch (outcome.kind) {
    case 'sent':
      if (outcome.uploadedFileId === null || imageUrl === null) return;
      return rememberFileId(trx, imageUrl, outcome.uploadedFileId);
    case 'again':
      await noteTrouble(trx, message, outcome, chatLog);
      if (outcome.losesCard === true) await loseCard(trx, message);
      if (imageUrl !== null && outcome.forgetsFileId === true) await forgetFileId(trx, imageUrl);
      if (imageUrl !== null && outcome.badPicture === true) {
        await rememberFailure(trx, imageUrl, outcome.reason, badPictureAgainAfterMs);
      }
      return;
    case 'limited':
      return widenLimit(trx, chatId, outcome.retryAfterMs);
    case 'removed':
      return dropChat(trx, chatId, outcome, chatLog);
    case 'migrated':
      if (await migrateChatRows(trx, chatId, outcome.toChatId)) {
        await chatLog(migrated(chatId, outcome.toChatId), openTransaction(trx));
      }
      return;
    case 'failed':
  }
}

/** Somebody deleted it: the next message of the card is sent, and edited from then on. */
async function loseCard(trx: Transaction, { chatId, editsMessageId }: ClaimedMessage): Promise<void> {
  await sql`
    update telegram_messages set platform_message_id = null
    where chat_id = ${chatId} and running_key is not null and platform_message_id = ${editsMessageId}`.execute(trx);
}

async function noteTrouble(
  trx: Transaction,
  { chatId, topicId }: ClaimedMessage,
  outcome: Extract<Outcome, { kind: 'again' }>,
  chatLog: ChatLog,
): Promise<void> {
  if (outcome.trouble !== undefined) {
    await sql`
      update telegram_chats set trouble = ${outcome.trouble}, trouble_at = clock_timestamp()
      where chat_id = ${chatId}`.execute(trx);
  }
  if (outcome.lacksPhotoRight === true) {
    await sql`update telegram_chats set can_send_photos = false where chat_id = ${chatId}`.execute(trx);
  }
  if (outcome.leavesTopic !== undefined && topicId !== null) {
    await leaveTopic(trx, { chatId, topicId: String(topicId) }, outcome.leavesTopic, chatLog);
  }
}

/** A message has arrived: a chat that was told to wait before has a limit of its own. */
export const limitOfOneChat = sql`limited_until = '-infinity'`;

/**
 * A second chat that is told to wait while the first one still has to, and nothing has arrived in between: the limit is the bot's
 * own, so everything waits.
 */
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
  chatLog: ChatLog,
): Promise<void> {
  const { rows } = await sql<{ bot_status: string; is_news: boolean }>`
    select bot_status, removed_at is null as is_news from telegram_chats where chat_id = ${chatId} for no key update`.execute(
    trx,
  );
  const [was] = rows;
  await sql`
    update telegram_chats set removed_at = coalesce(removed_at, clock_timestamp()), bot_status = ${botStatus},
      has_pending = false, trouble = ${reason}, trouble_at = clock_timestamp()
    where chat_id = ${chatId}`.execute(trx);
  await sql`
    update telegram_messages set state = 'dropped', reason = ${reason}
    where chat_id = ${chatId} and state = 'pending'`.execute(trx);
  if (was?.is_news !== true) return;
  const change = { before: { bot: was.bot_status }, after: { bot: botStatus, reason } };
  await chatLog({ chatId, action: 'telegram-bot-removed', ...change }, openTransaction(trx));
}
