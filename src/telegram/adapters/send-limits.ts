import { type RawBuilder, sql } from 'kysely';

import { inFlightMax, retriesInFlightMax } from '../delivery/outbox.ts';

/**
 * Telegram's limits (rulings R4; core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). A message counts
 * at the server some time between the moment the gate was passed and its answer. Each sending is therefore written down
 * twice: with a likely time when it begins, with the latest possible once it is answered. The next one begins a full span
 * after the time of the one that leaves the window, so not even a server without tolerance refuses it.
 */
const overallPerSecond = 30;
const perGroupPerMinute = 20;
/**
 * Nobody may use up a group's minute for the others. `perMinute`: how many messages of any kind may have gone for the next one
 * to be of that sort; `repliesPerMinute`: how many of them may be replies. While cards wait, questions take no more than a few
 * places, and otherwise let these go first; while none does, they leave free what the next cards and an admin may need at once. A
 * group's first setup with a look at every command is ten replies.
 */
const shares = {
  delivery: { perMinute: 18, repliesPerMinute: null },
  question: { perMinute: 17, repliesPerMinute: 14 },
  questionWhileCardsWait: { perMinute: 19, repliesPerMinute: 6 },
  notice: { perMinute: perGroupPerMinute, repliesPerMinute: 18 },
  change: { perMinute: perGroupPerMinute, repliesPerMinute: 18 },
} as const;
const mostReplies = shares.change.repliesPerMinute;

/**
 * Replies over all chats: a reply passes with fewer than so many in the second before it. Otherwise whoever asks in many groups of
 * their own would leave the notifications of all others nothing of Telegram's 30.
 */
const repliesPerSecond = { question: 10, notice: 10, change: 20 } as const;

/**
 * `question`: what anybody may ask, cheap to leave unanswered. `notice`: that the bot waits, said at once or not at all. `change`:
 * everything else that is said at once.
 */
export type ReplyKind = 'question' | 'notice' | 'change';
/** What is lost when a time in milliseconds is cut off at either end. */
const cutOffMs = 3;

/** What passed the gate has arrived by then, unless its answer says something else: its copy may be killed before that. */
export const arrivesWithinMs = 60;
/**
 * While a message is on its way, its chat has an entry so much later: who comes next waits for its answer, which settles the
 * time, or for this to pass when there is none.
 */
const inFlightMs = 5_000;

export const ms = (count: number): RawBuilder<string> => sql`(${count}::float8 * interval '1 millisecond')`;

/**
 * How long it is from one time to the other, at most a day either way. Bounded before it is subtracted: up to PostgreSQL 16
 * infinite times ('-infinity' is 'at once' here) cannot be subtracted.
 */
export const millisFrom = (from: RawBuilder<unknown>, until: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(extract(epoch from greatest(${from} - interval '1 day', least(${from} + interval '1 day', ${until})) - ${from}) * 1000)::float8`;

/** `times`, an array, with one time more; newest first, no longer than needed. */
const withTime = (times: RawBuilder<unknown>, time: RawBuilder<unknown>, most: number): RawBuilder<Date[]> =>
  sql`array(select t from unnest(array_append(${times}, ${time})) t order by t desc limit ${sql.lit(most)})`;

export const overallTimes = sql.ref<Date[]>('telegram_send_gate.recent_sends');
const chatTimes = sql.ref('telegram_chats.recent_sends');
const replyTimes = sql.ref('telegram_chats.recent_replies');
const isGroup = sql`telegram_chats.kind <> 'private'`;

/** When the gate opens next, after the given times. */
export const opensAt = (times: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`coalesce((${times})[${sql.lit(overallPerSecond)}] + ${ms(1_000 + cutOffMs)}, '-infinity'::timestamptz)`;

/** Assignments of telegram_send_gate for a sending at `time`. */
export const chargeGate = (
  time: RawBuilder<unknown>,
  times: RawBuilder<unknown> = overallTimes,
): RawBuilder<unknown> => {
  const next = withOverallTime(times, time);
  return sql`recent_sends = ${next}, next_send_at = ${opensAt(next)}`;
};

export const withOverallTime = (times: RawBuilder<unknown>, time: RawBuilder<unknown>): RawBuilder<Date[]> =>
  withTime(times, time, overallPerSecond);

/**
 * Messages on their way, by their entries (rulings R4): in the gate's row, so that all copies count the same. After `claimMs`
 * whoever began one has noted its end or is dead.
 */
export const inFlightTimes = (
  column: 'in_flight' | 'retries_in_flight',
  claimMs: number,
  ended: string | null = null,
): RawBuilder<Date[]> => sql`array(
  select t from unnest(${sql.ref(`telegram_send_gate.${column}`)}) t
  where t > clock_timestamp() - ${ms(claimMs)} and t is distinct from ${ended}::timestamptz)`;

/** Whether one more may begin, and whether it may be one to a chat whose last try failed. */
export const hasPlace = (inFlight: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`cardinality(${inFlight}) < ${sql.lit(inFlightMax)}`;
export const hasPlaceForRetry = (retries: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`cardinality(${retries}) < ${sql.lit(retriesInFlightMax)}`;

/** No two that are on their way have the same entry: it is what they are known by. */
export const afterThoseInFlight = (inFlight: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`((select max(t) from unnest(${inFlight}) t) - ${ms(arrivesWithinMs)} + interval '1 microsecond')`;

/** Assignment of telegram_send_gate once the message of that entry is on its way no more. */
export const withoutInFlight = (entry: string): RawBuilder<unknown> => sql`
  in_flight = array_remove(in_flight, ${entry}::timestamptz),
  retries_in_flight = array_remove(retries_in_flight, ${entry}::timestamptz)`;

/** The times of the gate once an answer is there; see withSettledChatTime. */
export const settledOverallTimes = (entry: string, time: RawBuilder<unknown> | null): RawBuilder<Date[]> =>
  settledTimes(overallTimes, sql`${entry}::timestamptz`, time, overallPerSecond);

const settledTimes = (
  times: RawBuilder<unknown>,
  entry: RawBuilder<unknown>,
  time: RawBuilder<unknown> | null,
  most: number,
): RawBuilder<Date[]> => {
  const others = sql<Date[]>`array_remove(${times}, ${entry})`;
  return time === null ? others : withTime(others, time, most);
};

const inFlightEntry = (time: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`((${time})::timestamptz + ${ms(inFlightMs)})`;

/** The times of a chat once a message passes the gate at `time`. */
export const withChatInFlight = (time: RawBuilder<unknown>): RawBuilder<Date[]> =>
  withTime(chatTimes, inFlightEntry(time), perGroupPerMinute);

/** Whether a message to the chat is on its way: only then is there a time to come. */
export const isChatInFlight = sql<boolean>`coalesce(telegram_chats.recent_sends[1] > clock_timestamp(), false)`;

/** Once its answer is there: the message of that entry counted at `time` at the latest; null: it was refused and counts for nothing. */
export const withSettledChatTime = (entry: string, time: RawBuilder<unknown> | null): RawBuilder<Date[]> =>
  settledTimes(chatTimes, inFlightEntry(sql`${entry}`), time, perGroupPerMinute);

export const withReplyTime = (time: RawBuilder<unknown>): RawBuilder<Date[]> => withTime(replyTimes, time, mostReplies);

export const withSettledReplyTime = (entry: string, time: RawBuilder<unknown> | null): RawBuilder<Date[]> =>
  settledTimes(replyTimes, sql`${entry}::timestamptz`, time, mostReplies);

const overallReplies = sql.ref<Date[]>('telegram_send_gate.recent_replies');

/** When the next reply of that sort may pass the gate, whatever its chat. */
export const repliesOpenAt = (kind: ReplyKind): RawBuilder<Date> =>
  sql`coalesce((${overallReplies})[${sql.lit(repliesPerSecond[kind])}] + ${ms(1_000)}, '-infinity'::timestamptz)`;

export const withOverallReply = (time: RawBuilder<unknown>): RawBuilder<Date[]> =>
  withTime(overallReplies, time, repliesPerSecond.change);

/** When a chat may get its next message of that sort. */
export const chatOpensAt = (
  times: RawBuilder<unknown>,
  what: 'delivery' | ReplyKind | 'questionOnceCardsWent',
): RawBuilder<Date> => {
  const share =
    what === 'question'
      ? sql`case when has_pending then ${shareOpensAt(times, 'questionWhileCardsWait')} else ${shareOpensAt(times, what)} end`
      : shareOpensAt(times, what === 'questionOnceCardsWent' ? 'question' : what);
  return sql`greatest(telegram_chats.limited_until, (${times})[1] + ${ms(1_000 + cutOffMs)},
    case when ${isGroup} then ${share} end)`;
};

const shareOpensAt = (times: RawBuilder<unknown>, what: keyof typeof shares): RawBuilder<Date> => {
  const { perMinute, repliesPerMinute } = shares[what];
  const minute = ms(60_000 + cutOffMs);
  const replies = repliesPerMinute === null ? sql`` : sql`, ${replyTimes}[${sql.lit(repliesPerMinute)}] + ${minute}`;
  return sql`greatest((${times})[${sql.lit(perMinute)}] + ${minute}${replies})`;
};
