import type { Sandbox } from '../sandbox/start-sandbox.ts';
import type { Market, Trade } from './two-copies-market.ts';
import type { TwoCopiesWorld } from './two-copies-world.ts';

/** Counts of what arrived at Telegram. */
export interface Heard {
  readonly messagesDue: number;
  readonly eventsLost: number;
  readonly messagesLost: number;
  readonly repeated: number;
  /** Of those, not marked as doubtful. */
  readonly repeatedUnmarked: number;
  readonly chatsOutOfOrder: number;
}

export const countHeard = async ({ sandbox, pool }: TwoCopiesWorld, { events }: Market): Promise<Heard> => {
  const doubtful = new Set((await pool.query<{ key: string }>(doubtfulKeys)).rows.map(({ key }) => key));
  const heard = heardByChat(
    sandbox,
    events.map(({ transactionDigest }) => transactionDigest),
  );
  const timesHeard = (chatId: number, digest: string): number =>
    heard.get(chatId)?.filter((each) => each === digest).length ?? 0;
  const due = events.flatMap(({ transactionDigest, chatIds }) =>
    chatIds.map((chatId) => ({ chatId, digest: transactionDigest, times: timesHeard(chatId, transactionDigest) })),
  );
  const repeated = due.filter(({ times }) => times > 1);
  const place = new Map(events.map(({ transactionDigest }, index) => [transactionDigest, index]));
  const isOutOfOrder = (digests: readonly string[]): boolean =>
    [...new Set(digests)]
      .map((digest) => place.get(digest) ?? 0)
      .some((index, at, all) => at > 0 && index < (all[at - 1] ?? 0));
  return {
    messagesDue: due.length,
    eventsLost: [...Map.groupBy(due, ({ digest }) => digest).values()].filter((each) =>
      each.every(({ times }) => times === 0),
    ).length,
    messagesLost: due.filter(({ times }) => times === 0).length,
    repeated: repeated.reduce((sum, { times }) => sum + times - 1, 0),
    repeatedUnmarked: repeated.filter(({ chatId, digest }) => !doubtful.has(`${chatId} ${digest}`)).length,
    chatsOutOfOrder: [...heard.values()].filter(isOutOfOrder).length,
  };
};

const doubtfulKeys = `
  select m.chat_id || ' ' || e.transaction_digest as key from telegram_messages m
    join telegram_deliveries d on d.message_id = m.id join activity_events e on e.id = d.event_id
  where m.is_doubtful`;

/** By chat, the transactions its messages link to, in the order of their arrival. */
const heardByChat = ({ telegram }: Sandbox, digests: readonly string[]): ReadonlyMap<number, readonly string[]> => {
  const known = new Set(digests);
  const heard = new Map<number, string[]>();
  for (const { chatId, links } of telegram.accepted()) {
    const digest = links.map((link) => link.slice(link.lastIndexOf('/') + 1)).find((each) => known.has(each));
    if (digest !== undefined) heard.set(chatId, [...(heard.get(chatId) ?? []), digest]);
  }
  return heard;
};

/** Role changes at Discord, and the roles there at the end. */
export interface RolesSeen {
  readonly changes: number;
  /** Members who at the end have the role without a rock, or a rock without the role. */
  readonly wrongInTheEnd: number;
  /** Given although the member had no rock at any time since the change before, or taken although they always had one. */
  readonly withoutCause: number;
}

export const countRoles = ({ sandbox, servers }: TwoCopiesWorld, market: Market): RolesSeen => {
  const changes = sandbox.discord.roleChanges();
  const byMember = Map.groupBy(changes, ({ userId }) => userId);
  const seen = servers.flatMap(({ guildId, roleId, members }) => {
    const withRole = new Set(sandbox.discord.membersWithRole({ guildId, roleId }));
    return members.map(({ userId, rockId }) => {
      const trades = market.trades.filter((trade) => trade.userId === userId);
      const own = byMember.get(userId) ?? [];
      const withoutCause = own.filter(({ kind, atMs }, index) => {
        const sinceMs = own[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY;
        return !heldSometime(rockId !== null, trades, { sinceMs, untilMs: atMs, holds: kind === 'given' });
      });
      return { isWrong: withRole.has(userId) !== market.holders.has(userId), withoutCause: withoutCause.length };
    });
  });
  return {
    changes: changes.length,
    wrongInTheEnd: seen.filter(({ isWrong }) => isWrong).length,
    withoutCause: seen.reduce((sum, { withoutCause }) => sum + withoutCause, 0),
  };
};

/** Whether at some moment of that time the member held a rock (`holds`) or held none. */
const heldSometime = (
  heldAtFirst: boolean,
  trades: readonly Trade[],
  { sinceMs, untilMs, holds }: { readonly sinceMs: number; readonly untilMs: number; readonly holds: boolean },
): boolean => {
  const before = trades.findLast(({ atMs }) => atMs <= sinceMs)?.holds ?? heldAtFirst;
  return (
    before === holds || trades.some((trade) => trade.atMs > sinceMs && trade.atMs <= untilMs && trade.holds === holds)
  );
};
