/** `card`: everything but replies. */
export type SendKind = 'card' | 'reply';

/** A message that passed the limits. `atMs`: the time at which it counts; null: still being sent. */
export interface Sending {
  readonly chatId: string;
  readonly kind: SendKind;
  readonly beganAtMs: number;
  atMs: number | null;
}

interface SentLately {
  readonly chatId: string;
  readonly kind: SendKind;
  readonly agoMs: number;
}

/** Telegram's limits: rulings R4; core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
const messagesPerSecond = 30;
const messagesPerMinuteInGroup = 20;
/** A little more than a second and a minute: timers and Telegram's clock round differently. */
const secondMs = 1_003;
const minuteMs = 60_003;
/** Neither kind may use up a group's minute: this many are left to the other. */
const leftToOthers = 2;
/**
 * Replies over all chats: otherwise someone asking in many groups of their own would leave nothing of Telegram's 30 for
 * the notifications of all others.
 */
const repliesPerSecond = 20;
/** Cards are spaced evenly, so that a reply never waits for room in the second. */
const cardEveryMs = secondMs / messagesPerSecond;
/** After a pause of this process, cards catch up by no more than this. */
const lateMs = 100;
/** An unanswered message counts as arrived after this time, so that others do not wait longer. */
const onItsWayMs = 5_000;

/**
 * The limits in sliding windows, in the memory of the one sending copy. Telegram counts a message at some time between
 * its sending and its answer: until the answer it counts as of now, then as of the answer, so that even a server
 * without tolerance accepts the next one.
 */
export function createSendLimits(nowMs: () => number) {
  const { overall, ofChat, waitMs, within, note } = createWindows(nowMs);
  const limitedUntilMs = new Map<string, number>();
  let nextCardAtMs = Number.NEGATIVE_INFINITY;

  return {
    msUntilAny: (kind: SendKind): number => {
      const ownMs =
        kind === 'card'
          ? Math.max(0, nextCardAtMs - nowMs())
          : waitMs(overall().filter(isReply), repliesPerSecond, secondMs);
      return Math.max(ownMs, waitMs(overall(), messagesPerSecond, secondMs));
    },
    msUntilChat: (chatId: string, kind: SendKind): number => {
      const limitMs = Math.max(0, (limitedUntilMs.get(chatId) ?? 0) - nowMs());
      const sent = within(ofChat(chatId), minuteMs);
      const oneMs = Math.max(limitMs, waitMs(sent, 1, secondMs));
      if (!isGroup(chatId)) return oneMs;
      // Cards leave room for replies to come; replies go first, and leave room for cards.
      const own = kind === 'card' ? sent : sent.filter(isReply);
      return Math.max(
        oneMs,
        waitMs(sent, messagesPerMinuteInGroup, minuteMs),
        waitMs(own, messagesPerMinuteInGroup - leftToOthers, minuteMs),
      );
    },
    begin: (chatId: string, kind: SendKind): Sending => {
      if (kind === 'card') nextCardAtMs = Math.max(nextCardAtMs, nowMs() - lateMs) + cardEveryMs;
      return note({ chatId, kind, beganAtMs: nowMs(), atMs: null });
    },
    end: (sending: Sending): void => {
      sending.atMs = nowMs();
    },
    /** It does not count: it was not sent, or refused for a limit. */
    cancel: (sending: Sending): void => {
      sending.atMs = Number.NEGATIVE_INFINITY;
    },
    /** Limits one chat only: the answer for a group's slow mode looks like the answer for a limit of the bot itself. */
    limited: (chatId: string, forMs: number): void => {
      limitedUntilMs.set(chatId, Math.max(limitedUntilMs.get(chatId) ?? 0, nowMs() + forMs));
    },
    /** What other copies of the product sent within the last minute, and which chats Telegram asked to wait. */
    load: (
      sent: readonly SentLately[],
      limited: readonly { readonly chatId: string; readonly forMs: number }[],
    ): void => {
      for (const { agoMs, ...each } of sent) note({ ...each, beganAtMs: nowMs() - agoMs, atMs: nowMs() - agoMs });
      for (const { chatId, forMs } of limited) limitedUntilMs.set(chatId, nowMs() + forMs);
    },
  };
}

export type SendLimits = ReturnType<typeof createSendLimits>;

/** What was sent within the last second overall, and within the last minute in each chat. */
function createWindows(nowMs: () => number) {
  let overall: Sending[] = [];
  const chats = new Map<string, Sending[]>();
  const countsAtMs = ({ atMs, beganAtMs }: Sending): number => atMs ?? Math.min(nowMs(), beganAtMs + onItsWayMs);
  const within = (sent: readonly Sending[], perMs: number): Sending[] =>
    sent.filter((each) => countsAtMs(each) > nowMs() - perMs);
  const ofChat = (chatId: string): readonly Sending[] => chats.get(chatId) ?? [];
  return {
    overall: (): readonly Sending[] => overall,
    ofChat,
    within,
    waitMs: (sent: readonly Sending[], most: number, perMs: number): number => {
      if (sent.length < most) return 0;
      const leaving = sent.map(countsAtMs).toSorted((one, other) => other - one)[most - 1] ?? 0;
      return Math.max(0, leaving + perMs - nowMs());
    },
    note: (sending: Sending): Sending => {
      overall = [...within(overall, secondMs), sending];
      chats.set(sending.chatId, [...within(ofChat(sending.chatId), minuteMs), sending]);
      return sending;
    },
  };
}

const isReply = ({ kind }: Sending): boolean => kind === 'reply';
/** Bot API: the ids of people are positive, those of groups and channels negative. */
const isGroup = (chatId: string): boolean => chatId.startsWith('-');
