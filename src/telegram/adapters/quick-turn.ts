import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { ClaimAnswer, Settlement } from '../delivery/outbox.ts';
import {
  aheadMs,
  type ClaimedRow,
  type ClaimSettings,
  isOfDeleted,
  longestWaitMs,
  millisUntil,
  staleMs,
  toClaimed,
} from './claim-message.ts';
import {
  afterThoseInFlight,
  arrivesWithinMs,
  hasPlace,
  hasPlaceForRetry,
  inFlightTimes,
  ms,
  opensAt,
  overallTimes,
  settledOverallTimes,
  withChatInFlight,
  withOverallTime,
} from './send-limits.ts';
import { arrivalOf, limitOfOneChat, settledChat, settledMessage } from './settle-message.ts';
import type { TelegramTables } from './tables.ts';

/** What most turns are: the last message arrived, the next one needs nothing. */
export const isQuick = (settlements: readonly Settlement[]): boolean =>
  settlements.length <= 1 &&
  settlements.every(({ outcome }) => outcome.kind === 'sent' && outcome.uploadedFileId === null);

type Row = { readonly gate_ms: number; readonly is_met: boolean } & {
  readonly [Name in keyof ClaimedRow]: ClaimedRow[Name] | null;
};

/**
 * The settlement and the next claim as one statement that commits itself: on a busy machine each way to the database and
 * back costs as much as the sending. Does what `settle` and `claimNext` do, in their order of locks; null: the settlement
 * is written, and the claim needs a closer look.
 *
 * All of it sees the rows as they were when it began, except those it locks: they are judged anew. A chat whose messages
 * changed meanwhile has been put off by whoever changed them, and a message is only marked while it is pending. Rows are
 * found by keys from subqueries, not by joins, which the planner may turn into a look at everything that waits.
 */
export async function takeQuickTurn(
  db: Kysely<TelegramTables>,
  settings: ClaimSettings,
  settlement: Settlement | undefined,
  excludedChatIds: readonly string[],
): Promise<ClaimAnswer | null> {
  const entry = sql<Date>`(select entry from opening)`;
  const ended = settlement?.message.gateEntry ?? null;
  const askedMs = performance.now();
  const { rows } = await sql<Row>`
    with gate as materialized (
      select paused_until, ${settlement === undefined ? overallTimes : settledOverallTimes(settlement.message.gateEntry, arrivalOf(settlement))} as times,
        ${inFlightTimes('in_flight', settings.claimMs, ended)} as in_flight,
        ${inFlightTimes('retries_in_flight', settings.claimMs, ended)} as retries
      from telegram_send_gate for no key update
    ), opening as materialized (
      select times, in_flight, retries, opens_at, at + ${ms(arrivesWithinMs)} as entry,
        (extract(epoch from at - t) * 1000)::float8 as ahead_ms
      from (
        select *, greatest(t, opens_at, ${afterThoseInFlight(sql`in_flight`)}) as at from (
          select *, greatest(${opensAt(sql`times`)}, paused_until) as opens_at, clock_timestamp() as t from gate
        ) gate_then
      ) gate_now
    ), ${settledParts(settings.copy, settlement)}
    chat as materialized (
      select ready.* from opening cross join lateral (
        select chat_id, can_send_photos, is_failing from telegram_chats
        where ${hasPlace(sql`opening.in_flight`)} and (${hasPlaceForRetry(sql`opening.retries`)} or not is_failing) and has_pending and removed_at is null and next_send_at <= statement_timestamp()
          and opening.opens_at <= statement_timestamp() + ${ms(aheadMs)}
          and not chat_id = any(${[...excludedChatIds]}::bigint[])
        order by next_send_at limit 1 for no key update skip locked
      ) ready
    ), head as materialized (${simpleHead(settings)}),
    marked as (
      update telegram_messages set state = 'sending', claimed_by = ${settings.copy},
        claimed_until = ${entry} + ${ms(settings.claimMs)}
      where id = (select id from head) and state = 'pending'
      returning id, chat_id, topic_id, content, form, attempts
    ), charged_chat as (
      update telegram_chats set next_send_at = ${entry} + ${ms(settings.claimMs)}, recent_sends = ${withChatInFlight(entry)}
      where chat_id = (select chat_id from marked)
    ), charged_gate as (
      update telegram_send_gate set recent_sends = charged.times, next_send_at = ${opensAt(sql`charged.times`)},
        in_flight = charged.in_flight, retries_in_flight = charged.retries ${settlement === undefined ? sql`` : sql`, ${limitOfOneChat}`}
      from (
        select case when marked.id is null then opening.times else ${withOverallTime(sql`opening.times`, sql`opening.entry`)} end as times,
          case when marked.id is null then in_flight else array_append(in_flight, entry) end as in_flight,
          case when marked.id is not null and is_failing then array_append(retries, entry) else retries end as retries
        from opening left join marked on true left join chat on true
      ) charged
    )
    select ${millisUntil('opening.opens_at')} as gate_ms, chat.chat_id is not null as is_met, marked.id, marked.chat_id,
      topic_id, content, form, attempts, null as edits_message_id, file_id, wants_picture, entry::text, ahead_ms
    from opening left join chat on true left join head on true left join marked on true`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('telegram_send_gate has lost its row');
  if (row.id !== null) return { kind: 'claimed', message: toClaimed(row as ClaimedRow, askedMs) };
  if (row.is_met || row.gate_ms <= aheadMs) return null;
  return { kind: 'wait', waitMs: Math.min(longestWaitMs, Math.ceil(row.gate_ms - aheadMs)) };
}

const settledParts = (copy: string, settlement: Settlement | undefined): RawBuilder<unknown> =>
  settlement === undefined
    ? sql``
    : sql`message as (${settledMessage(copy, settlement)}), settled_chat as (${settledChat(settlement)}),`;

/** The chat's first message, if it is to be sent as it is: neither taken by somebody, nor old, nor with a picture to fetch, nor a card to edit. */
const simpleHead = ({ backlogAfterMs }: ClaimSettings): RawBuilder<unknown> => sql`
  select first.id, known.file_id, first.may_have_picture and known.file_id is not null as wants_picture
  from chat cross join lateral (
    select id, state, kind, retried_at, ${isOfDeleted} as is_of_deleted, happened_at, created_at, running_key,
      content ->> 'imageUrl' as image_url,
      chat.can_send_photos and form = 'full' and content ->> 'imageUrl' is not null as may_have_picture
    from telegram_messages where chat_id = chat.chat_id and state in ('pending', 'sending') order by id limit 1
  ) first
  left join lateral (
    select file_id, try_again_at > clock_timestamp() as is_failing from telegram_images
    where first.may_have_picture and image_url_hash = sha256(convert_to(first.image_url, 'UTF8'))
  ) known on true
  where first.state = 'pending' and not first.is_of_deleted
    and (first.running_key is null or not exists (
      select 1 from telegram_messages run
      where run.chat_id = chat.chat_id and run.running_key = first.running_key and run.id < first.id
    ))
    and (not first.may_have_picture or known.is_failing or known.file_id is not null)
    and (first.retried_at is not null or first.kind not in ('card', 'folded') or (
      first.happened_at >= clock_timestamp() - ${ms(staleMs)} and first.created_at >= clock_timestamp() - ${ms(backlogAfterMs)}
    ))`;
