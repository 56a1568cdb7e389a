import type { ActivityBatch, ActivityListener } from '../../market/contract.ts';
import { type DueMember, markDue } from './member-store.ts';

/**
 * Rulings R5: the wallets of a sale or a transfer are checked at once. Marks their members due in the transaction that stores the
 * events; the checks come after the commit.
 */
export const createTradeListener = (wake: () => void): ActivityListener => ({
  name: 'discord',
  recordBatch: async (batch, trx) => {
    const { bought, sold } = walletsOf(batch);
    if (bought.size + sold.size === 0) return;
    const linked = await trx
      .selectFrom('discordWallets as w')
      .innerJoin('discordGuildConfigs as c', 'c.guildId', 'w.guildId')
      .select(['w.guildId', 'w.userId', 'w.wallet'])
      .where('c.trackedCollectionId', '=', batch.collection.id.toString())
      .where(({ eb, fn }) => eb('w.wallet', '=', fn.any(eb.val([...bought, ...sold]))))
      .execute();
    await markDue(trx, causesOf(linked, bought, sold));
  },
  batchStored: wake,
});

interface Linked {
  readonly guildId: string;
  readonly userId: string;
  readonly wallet: string;
}

/** One cause for each member, whichever of their wallets it was. */
const causesOf = (
  linked: readonly Linked[],
  bought: ReadonlySet<string>,
  sold: ReadonlySet<string>,
): readonly DueMember[] =>
  [...Map.groupBy(linked, ({ guildId, userId }) => `${guildId} ${userId}`).values()].flatMap((wallets) => {
    const has = (moved: ReadonlySet<string>): boolean => wallets.some(({ wallet }) => moved.has(wallet));
    const cause = !has(sold) ? 'bought' : has(bought) ? 'traded' : 'sold';
    return wallets.slice(0, 1).map(({ guildId, userId }) => ({ guildId, userId, cause }));
  });

/** Listings and bids change no owner. */
function walletsOf({ events, transfers }: ActivityBatch) {
  const trades = events.filter(({ kind }) => kind === 'sale' || kind === 'mint');
  // Between two kiosks of one owner nothing changes hands.
  const moves = transfers.filter(({ sender, receiver }) => sender !== receiver);
  return {
    bought: named([...trades.map(({ buyer }) => buyer), ...moves.map(({ receiver }) => receiver)]),
    sold: named([...trades.map(({ seller }) => seller), ...moves.map(({ sender }) => sender)]),
  };
}

const named = (wallets: readonly (string | null)[]): ReadonlySet<string> =>
  new Set(wallets.filter((wallet) => wallet !== null));
