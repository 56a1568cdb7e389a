import { type Kysely, sql } from 'kysely';

import { statementBegun, withoutField } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Message } from './message.ts';
import type { MessageContent } from '../cards/message-html.ts';
import { oneByOneMax, staleAfterMs } from '../notify/rules/arrange-events.ts';
import type { QuietHours } from '../time-zone.ts';
import type { SendKind } from './limits.ts';

type Db = Kysely<Database>;

/** An older reply is dropped: nobody waits for it any more. */
const replySeconds = 60;
/** Of a message `m`: not posted in quiet hours. Notices, samples and what an admin retried are: someone has just asked for them. */
const isHeld = sql<boolean>`(m.kind in ('card', 'folded', 'digest', 'recap') and m.retried_at is null)`;

/** A chat's first unsent message, with what is needed to send it. */
interface Head {
  readonly id: string;
  readonly state: 'pending' | 'sending';
  /** null: it goes without a picture. */
  readonly imageUrl: string | null;
  readonly editsMessageId: string | null;
  /** The backlog must become a digest first. */
  readonly isBacklog: boolean;
  /** It was being sent when its configuration was deleted, and did not arrive. */
  readonly isOfDeleted: boolean;
  readonly isTooLate: boolean;
  /** Of the chat, for a kind that is not posted in quiet hours; null: it goes at any hour. */
  readonly quiet: { readonly hours: QuietHours; readonly timeZone: string } | null;
}

interface WaitingChat {
  readonly chatId: string;
  readonly attempts: number;
  /** The chat's trouble is over, or an admin retried its first message. */
  readonly mayTryNow: boolean;
}

const sendKind = sql<SendKind>`case kind when 'reply' then 'reply' else 'card' end`;
/** Written as in the index of waiting messages. */
const isOf = (kind: SendKind) => sql`(m.kind = 'reply') = ${sql.lit(kind === 'reply')}`;

/** Cards do not go to a group that removed the bot. A reply does: its question may be newer than that report. */
const isReachable = (kind: SendKind) => (kind === 'reply' ? sql`true` : sql`chat.removed_at is null`);

/** Chats with waiting messages, in order of their first message: one index probe per chat. Kysely cannot express this loop. */
export async function readWaitingChats(db: Db, kind: SendKind): Promise<readonly WaitingChat[]> {
  const first = sql`select chat_id, id, attempts, retried_at from telegram_messages m where state = 'pending' and ${isOf(kind)}`;
  const { rows } = await sql<WaitingChat>`
    with recursive waiting as (
      (${first} order by chat_id, id limit 1)
      union all
      select later.* from waiting cross join lateral (
        ${first} and chat_id > waiting.chat_id order by chat_id, id limit 1
      ) later
    )
    select chat_id, attempts, trouble is null or (retried_at is not null and attempts = 0) as may_try_now
    from waiting cross join lateral (
      select trouble from telegram_chats chat where chat.chat_id = waiting.chat_id and ${isReachable(kind)} offset 0
    ) chat order by id`.execute(db);
  return rows;
}

interface HeadOptions {
  readonly backlogAfterMs: number;
  /** Only what is posted in quiet hours. */
  readonly isQuiet: boolean;
}

/** null: nothing of that kind waits in the chat. Raw SQL: in Kysely this would be harder to read. */
export async function readHead(
  db: Db,
  chatId: string,
  kind: SendKind,
  { backlogAfterMs, isQuiet }: HeadOptions,
): Promise<Head | null> {
  const { rows } = await sql<Head>`
    select m.id, m.state, coalesce(card.edits_message_id, (m.content -> 'edits' ->> 'messageId')::bigint) as edits_message_id,
      case when card.edits_message_id is null and m.form = 'full' and (chat.can_send_photos or m.kind = 'reply')
        then m.content ->> 'imageUrl' end as image_url,
      exists (
        select 1 from telegram_configurations c where c.id = m.configuration_id and c.deleted_at is not null
      ) as is_of_deleted,
      m.kind = 'reply' and m.created_at < clock_timestamp() - ${replySeconds} * interval '1 second' as is_too_late,
      m.retried_at is null and m.kind in ('card', 'folded') and (
        m.happened_at < clock_timestamp() - ${staleAfterMs}::float8 * interval '1 millisecond'
        or (m.created_at < clock_timestamp() - ${backlogAfterMs}::float8 * interval '1 millisecond' and (
          select count(*) from telegram_messages other
          where other.chat_id = m.chat_id and other.state = 'pending' and other.retried_at is null
            and other.kind in ('card', 'folded')
        ) > ${oneByOneMax})
      ) as is_backlog,
      (select jsonb_build_object('timeZone', c.time_zone,
          'hours', jsonb_build_object('fromMinute', c.quiet_from_minute, 'toMinute', c.quiet_to_minute))
        from telegram_configurations c
        where c.id = m.configuration_id and c.quiet_from_minute is not null and ${isHeld}
      ) as quiet
    from telegram_messages m
    join telegram_chats chat using (chat_id)
    left join lateral (
      select run.platform_message_id as edits_message_id from telegram_messages run
      where run.chat_id = m.chat_id and run.running_key = m.running_key and run.running_until = m.running_until
        and run.topic_id is not distinct from m.topic_id and run.id < m.id and run.platform_message_id is not null
      order by run.id desc limit 1
    ) card on true
    where m.chat_id = ${chatId} and m.state in ('pending', 'sending') and ${isOf(kind)} and ${isReachable(kind)}
      and not (${isQuiet} and ${isHeld})
    order by m.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Marks a message before it is sent, so that it is in doubt if this copy dies. null: it no longer waits. */
export async function markSending(db: Db, { id, editsMessageId }: Head): Promise<Message | null> {
  const row = await db
    .updateTable('telegramMessages')
    .set({ state: 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning(['id', 'chatId', 'topicId', 'content', 'form', 'attempts', 'kind', 'isDoubtful'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { kind, ...message } = row;
  return {
    ...message,
    isReply: kind === 'reply',
    isDoubtful: row.isDoubtful && editsMessageId === null,
    topicId: row.topicId === null ? null : Number(row.topicId),
    content: row.content as MessageContent,
    editsMessageId: editsMessageId === null ? null : Number(editsMessageId),
  };
}

export async function dropMessage(db: Db, id: string, reason: string): Promise<void> {
  await db.updateTable('telegramMessages').set({ state: 'dropped', reason }).where('id', '=', id).execute();
}

/** Someone deleted the edited message: the next one is sent as a new one, and edited from then on. */
export async function forgetCard(db: Db, { id, chatId, content, editsMessageId }: Message): Promise<void> {
  if (content.edits !== undefined) {
    await db
      .updateTable('telegramMessages')
      .set({ content: withoutField('content', 'edits') })
      .where('id', '=', id)
      .execute();
  }
  await db
    .updateTable('telegramMessages')
    .set({ platformMessageId: null })
    .where('chatId', '=', chatId)
    .where('runningKey', 'is not', null)
    .where('platformMessageId', '=', String(editsMessageId))
    .execute();
}

/** Requeues, as doubtful, messages marked as being sent. */
export const requeueMessages = (db: Db) =>
  db.updateTable('telegramMessages').set({ state: 'pending', isDoubtful: true }).where('state', '=', 'sending');

/** Requeues messages that another copy was sending. Returns their chats. */
export const takeOverMessages = (db: Db) =>
  requeueMessages(db)
    .returning(['chatId', sendKind.as('kind')])
    .execute();

/** Messages that count towards Telegram's limits when a copy starts sending. One from the future was sent before the clock was set back. */
export async function readSentLately(db: Db) {
  const since = sql`${statementBegun} - interval '61 seconds'`;
  const { rows } = await sql<{ chatId: string; kind: SendKind; agoMs: number }>`
    select chat_id, ${sendKind} as kind, extract(epoch from clock_timestamp() - sent_at)::float8 * 1000 as ago_ms
    from telegram_messages where sent_at > ${since} and sent_at <= clock_timestamp() order by sent_at`.execute(db);
  return rows;
}

export async function readLimitedChats(db: Db) {
  const { rows } = await sql<{ chatId: string; forMs: number }>`
    select chat_id, extract(epoch from limited_until - clock_timestamp())::float8 * 1000 as for_ms
    from telegram_chats where limited_until > clock_timestamp() and limited_until < 'infinity'`.execute(db);
  return rows;
}
