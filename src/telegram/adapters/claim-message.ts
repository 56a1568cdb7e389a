import { type Kysely, sql } from 'kysely';

import type { MessageContent } from '../core/message-content.ts';
import type { ClaimAnswer, ClaimAsk, ClaimedMessage, MessageForm } from '../delivery/outbox.ts';
import {
  afterThoseInFlight,
  arrivesWithinMs,
  chargeGate,
  hasPlace,
  hasPlaceForRetry,
  inFlightTimes,
  millisFrom,
  ms,
  withChatInFlight,
} from './send-limits.ts';
import type { TelegramTables } from './tables.ts';

export interface ClaimSettings {
  /** Names this copy of the product in the rows it has claimed. */
  readonly copy: string;
  /** Longer than any request may take: afterwards whoever claimed it is believed dead. */
  readonly claimMs: number;
  /** What waited longer, or is older than 6 hours, may have become a backlog. */
  readonly backlogAfterMs: number;
}

type Transaction = Kysely<TelegramTables>;

/** Longer waits are interrupted: a signal of something new may get lost. */
export const longestWaitMs = 2_000;
/** Rulings R4. */
const singlesMax = 10;
/** Nobody says when another copy's message has arrived. */
const placeLookMs = 250;
export const staleMs = 6 * 3_600_000;
const chatsTriedMax = 20;
/** A claim is made so long before the gate opens: marking, committing and answering then cost none of Telegram's time. */
export const aheadMs = 60;

/**
 * Picks the chat whose turn is longest due, and its first message; marks it and passes the gate, or says what is to be done
 * before. Chats wait in the order of the time from which they may hear something, so that nobody is passed over. The chat
 * itself is put off until the claim ends: one that does not answer is not looked at again before.
 */
export async function claimNext(trx: Transaction, settings: ClaimSettings, ask: ClaimAsk): Promise<ClaimAnswer> {
  const excluded = [...ask.excludedChatIds];
  for (let tried = 0; tried < chatsTriedMax; tried += 1) {
    const chat = await lockReadyChat(trx, settings, excluded);
    if (typeof chat === 'number') return { kind: 'wait', waitMs: chat };
    const head = await readHead(trx, settings, chat.chat_id);
    const isHeld = await putOff(trx, chat.chat_id, head, ask.mayTakeOver);
    if (head === null || isHeld) continue;
    if (head.is_of_deleted) {
      await dropOfDeleted(trx, head);
      continue;
    }
    const { imageUrl } = head.content;
    const wantsPicture =
      head.edits_message_id === null &&
      imageUrl !== null &&
      head.form === 'full' &&
      chat.can_send_photos &&
      !head.is_image_failing;
    if (head.is_backlog) return { kind: 'backlog-first', chatId: chat.chat_id };
    if (wantsPicture && head.file_id === null && !ask.isPictureReady(imageUrl)) {
      return { kind: 'picture-first', chatId: chat.chat_id, imageUrl };
    }
    return {
      kind: 'claimed',
      message: await mark(trx, settings, { ...head, is_failing: chat.is_failing }, wantsPicture),
    };
  }
  return { kind: 'wait', waitMs: 0 };
}

interface ReadyChat {
  readonly chat_id: string;
  readonly can_send_photos: boolean;
  readonly is_failing: boolean;
}

/**
 * The chat, locked; or how many milliseconds nothing can be sent, because of the gate, because nobody is due, or because as
 * many are on their way as may be.
 */
async function lockReadyChat(
  trx: Transaction,
  { claimMs }: ClaimSettings,
  excluded: readonly string[],
): Promise<ReadyChat | number> {
  // Not clock_timestamp(): a volatile function cannot use the index. Not `for update`: that would shut out those who only refer to the chat.
  const { rows } = await sql<Omit<ReadyChat, 'chat_id'> & Gate & { readonly chat_id: string | null }>`
    with gate as materialized (
      select greatest(next_send_at, paused_until) as opens_at, ${hasPlace(inFlightTimes('in_flight', claimMs))} as has_place,
        ${hasPlaceForRetry(inFlightTimes('retries_in_flight', claimMs))} as has_place_for_retry
      from telegram_send_gate for no key update
    )
    select ${millisUntil('gate.opens_at')} as gate_ms, has_place, has_place_for_retry, chat.*
    from gate left join lateral (
      select chat_id, can_send_photos, is_failing from telegram_chats
      where gate.has_place and (gate.has_place_for_retry or not is_failing) and has_pending and removed_at is null and next_send_at <= statement_timestamp()
        and gate.opens_at <= statement_timestamp() + ${ms(aheadMs)} and not chat_id = any(${excluded}::bigint[])
      order by next_send_at limit 1 for no key update skip locked
    ) chat on true`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('telegram_send_gate has lost its row');
  const { chat_id, can_send_photos, is_failing } = row;
  if (chat_id !== null) return { chat_id, can_send_photos, is_failing };
  if (row.gate_ms > aheadMs) return Math.min(longestWaitMs, Math.ceil(row.gate_ms - aheadMs));
  if (!row.has_place) return placeLookMs;
  const due = await sql<{ due_ms: number | null }>`
    select ${millisUntil('next_send_at')} as due_ms from telegram_chats
    where (${row.has_place_for_retry} or not is_failing) and has_pending and removed_at is null and not chat_id = any(${excluded}::bigint[])
    order by next_send_at limit 1`.execute(trx);
  const longestMs = row.has_place_for_retry ? longestWaitMs : placeLookMs;
  return Math.min(longestMs, Math.ceil(Math.max(1, due.rows[0]?.due_ms ?? longestMs)));
}

interface Gate {
  readonly gate_ms: number;
  readonly has_place: boolean;
  readonly has_place_for_retry: boolean;
}

export const millisUntil = (column: string) => millisFrom(sql`clock_timestamp()`, sql.ref(column));

interface Head {
  readonly id: string;
  readonly chat_id: string;
  readonly topic_id: string | null;
  readonly content: MessageContent;
  readonly form: MessageForm;
  readonly attempts: number;
  readonly state: 'pending' | 'sending';
  readonly is_claimed: boolean;
  readonly is_backlog: boolean;
  readonly is_of_deleted: boolean;
  readonly file_id: string | null;
  readonly is_image_failing: boolean;
  readonly edits_message_id: string | null;
}

/** It was on its way when its configuration was deleted, and did not arrive. */
export const isOfDeleted = sql<boolean>`exists (
  select 1 from telegram_configurations c where c.id = configuration_id and c.deleted_at is not null)`;

const dropOfDeleted = (trx: Transaction, { id }: Head): Promise<unknown> =>
  sql`update telegram_messages set state = 'dropped', reason = 'configuration-deleted' where id = ${id}`.execute(trx);

/** The chat's first message that is not told yet; a statement of its own, so that it sees what the chat's lock waited for. */
async function readHead(trx: Transaction, settings: ClaimSettings, chatId: string): Promise<Head | null> {
  const { rows } = await sql<Head>`
    select m.id, m.chat_id, m.topic_id, m.content, m.form, m.attempts, m.state, i.file_id,
      (select run.platform_message_id from telegram_messages run
        where run.chat_id = m.chat_id and run.running_key = m.running_key and run.running_until = m.running_until
          and run.id < m.id and run.platform_message_id is not null
        order by run.id desc limit 1) as edits_message_id,
      m.state = 'sending' and m.claimed_until > clock_timestamp() as is_claimed,
      coalesce(i.try_again_at > clock_timestamp(), false) as is_image_failing, ${isOfDeleted} as is_of_deleted,
      m.state = 'pending' and m.retried_at is null and m.kind in ('card', 'folded') and (
        m.happened_at < clock_timestamp() - ${ms(staleMs)}
        or (m.created_at < clock_timestamp() - ${ms(settings.backlogAfterMs)} and (
          select count(*) from telegram_messages other
          where other.chat_id = m.chat_id and other.state = 'pending' and other.retried_at is null
            and other.kind in ('card', 'folded')
        ) > ${singlesMax})
      ) as is_backlog
    from telegram_messages m
    left join telegram_images i on i.image_url_hash = sha256(convert_to(m.content ->> 'imageUrl', 'UTF8'))
    where m.chat_id = ${chatId} and m.state in ('pending', 'sending')
    order by m.id limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** True: another copy is at it, or was a moment ago. Without a message the chat waits for nothing. */
async function putOff(trx: Transaction, chatId: string, head: Head | null, mayTakeOver: boolean): Promise<boolean> {
  if (head === null) {
    await sql`update telegram_chats set has_pending = false where chat_id = ${chatId}`.execute(trx);
    return false;
  }
  if (head.state === 'pending' || (!head.is_claimed && mayTakeOver)) return false;
  await sql`
    update telegram_chats set next_send_at = greatest(clock_timestamp() + interval '1 second',
      (select claimed_until from telegram_messages where id = ${head.id}))
    where chat_id = ${chatId}`.execute(trx);
  return true;
}

/** In doubt is what somebody else had marked and never told the end of. */
async function mark(
  trx: Transaction,
  settings: ClaimSettings,
  head: Head & Pick<ReadyChat, 'is_failing'>,
  wantsPicture: boolean,
): Promise<ClaimedMessage> {
  const entry = sql`(select entry from clock)`;
  const claimedUntil = sql`${entry} + ${ms(settings.claimMs)}`;
  const inFlight = inFlightTimes('in_flight', settings.claimMs);
  const retries = inFlightTimes('retries_in_flight', settings.claimMs);
  const askedMs = performance.now();
  const { rows } = await sql<{ entry: string; ahead_ms: number }>`
    with opening as materialized (
      select t, greatest(t, next_send_at, paused_until, ${afterThoseInFlight(inFlight)}) as at
      from telegram_send_gate, (select clock_timestamp() as t) now
    ), clock as materialized (
      select at + ${ms(arrivesWithinMs)} as entry, (extract(epoch from at - t) * 1000)::float8 as ahead_ms from opening
    ), message as (
      update telegram_messages set state = 'sending', is_doubtful = is_doubtful or state = 'sending',
        claimed_by = ${settings.copy}, claimed_until = ${claimedUntil}
      where id = ${head.id}
    ), chat as (
      update telegram_chats set next_send_at = ${claimedUntil}, recent_sends = ${withChatInFlight(entry)}
      where chat_id = ${head.chat_id}
    ), gate as (
      update telegram_send_gate set ${chargeGate(entry)}, in_flight = array_append(${inFlight}, ${entry}),
        retries_in_flight = case when ${head.is_failing} then array_append(${retries}, ${entry}) else ${retries} end
    )
    select entry::text, ahead_ms from clock`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('telegram_send_gate has lost its row');
  return toClaimed({ ...head, ...row, wants_picture: wantsPicture }, askedMs);
}

export interface ClaimedRow extends Pick<
  Head,
  'id' | 'chat_id' | 'topic_id' | 'content' | 'form' | 'attempts' | 'file_id' | 'edits_message_id'
> {
  readonly wants_picture: boolean;
  readonly entry: string;
  readonly ahead_ms: number;
}

/** The database's moment lies between the question, at `askedMs`, and its answer. */
export const toClaimed = (row: ClaimedRow, askedMs: number): ClaimedMessage => ({
  id: row.id,
  chatId: row.chat_id,
  topicId: row.topic_id === null ? null : Number(row.topic_id),
  content: row.content,
  form: row.form,
  attempts: row.attempts,
  editsMessageId: row.edits_message_id === null ? null : Number(row.edits_message_id),
  fileId: row.file_id,
  wantsPicture: row.wants_picture,
  gateEntry: row.entry,
  gateEarliestMs: askedMs + row.ahead_ms,
  gateLatestMs: performance.now() + row.ahead_ms,
});
