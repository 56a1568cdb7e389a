import { describe, expect, test } from 'vitest';
import { addressFrom } from '../world/derived-ids.ts';
import type { BalanceChange, ChainTransaction, WorldState } from '../world/state.ts';
import { canonicalType, suiCoinType } from '../world/sui-names.ts';
import { coinObjectTotal } from '../world/tokens.ts';
import { knownCoins } from './coins.ts';
import { seedWorld } from './seed-world.ts';

const state = seedWorld();
const treasury = state.treasuryAddress;
const monthMs = (425 / 14) * 86_400_000;

const changesOf = ({ balanceChanges }: ChainTransaction): BalanceChange[] =>
  balanceChanges.filter(({ address, amount }) => address === treasury && amount !== 0n);
const monthsOf = (transactions: readonly ChainTransaction[]): Set<number> =>
  new Set(transactions.map(({ timestampMs }) => Math.floor((state.startedAtMs - timestampMs) / monthMs)));
const withEvent = (name: string) =>
  state.transactions.filter(({ events }) => events.some(({ eventType }) => eventType.endsWith(`::${name}`)));

/** The treasury's final balances from the transactions, and the lowest balance that any coin ever had. */
function runningBalances(world: WorldState): { lowest: bigint; atEnd: Map<string, bigint> } {
  const atEnd = new Map<string, bigint>();
  let lowest = 0n;
  for (const transaction of world.transactions) {
    for (const { coinType, amount } of changesOf(transaction)) {
      const balance = (atEnd.get(coinType) ?? 0n) + amount;
      atEnd.set(coinType, balance);
      if (balance < lowest) lowest = balance;
    }
  }
  return { lowest, atEnd };
}

describe('the past of the treasury (ruling R8: a ledger that closes)', () => {
  test.each([412, 555, 60, 0])(
    'with %i rocks it ends in exactly the current holdings, and no balance was ever below zero',
    (mintedRocks) => {
      const world = mintedRocks === 412 ? state : seedWorld({ mintedRocks });
      const { lowest, atEnd } = runningBalances(world);
      expect(lowest).toBe(0n);
      for (const { coinType, coinBalance, addressBalance } of knownCoins) {
        expect(atEnd.get(canonicalType(coinType))).toBe(coinBalance + addressBalance);
        const holding = world.holdings.get(treasury)!.get(canonicalType(coinType))!;
        expect([coinObjectTotal(holding), holding.addressBalance]).toEqual([coinBalance, addressBalance]);
      }
    },
  );

  test('it is fourteen months long, in order, with mints in every month', () => {
    const times = state.transactions.map(({ timestampMs }) => timestampMs);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(state.startedAtMs - times[0]!).toBe(425 * 86_400_000);
    expect(monthsOf(withEvent('MintEvent')).size).toBe(14);
    const checkpoints = state.transactions.map(({ checkpoint }) => checkpoint);
    expect(checkpoints).toEqual(checkpoints.toSorted((one, other) => one - other));
  });

  test('it has two transfers from the team at the start, one back, three payouts, swaps and unsolicited coins', () => {
    const team = addressFrom('team');
    const withTeam = state.transactions.filter(({ balanceChanges }) =>
      balanceChanges.some(({ address }) => address === team),
    );
    expect(withTeam.map(({ sender }) => sender)).toEqual([team, team, treasury]);
    const payouts = state.transactions.filter(
      ({ sender, balanceChanges }) => sender === treasury && balanceChanges.length > 20,
    );
    expect(payouts).toHaveLength(3);
    for (const { balanceChanges, objects } of payouts) {
      const amounts = balanceChanges.filter(({ amount }) => amount > 0n).map(({ amount }) => amount);
      expect(new Set(amounts).size).toBe(1);
      expect(objects.filter(({ before }) => before === null)).toHaveLength(amounts.length);
    }
    expect(withEvent('SwapEvent')).toHaveLength(12);
    const unasked = state.transactions.filter(
      ({ sender, balanceChanges }) =>
        sender !== team &&
        balanceChanges.some(
          ({ address, coinType, amount }) => address === treasury && coinType !== suiCoinType && amount > 0n,
        ),
    );
    expect(unasked.filter(({ sender }) => sender !== treasury)).toHaveLength(6);
  });

  test('the treasury sold all NFTs it bought, some at a profit and some at a loss', () => {
    const pieces = new Map<string, bigint>();
    const results: bigint[] = [];
    for (const { events } of state.transactions) {
      const { nft_id: nftId = '', price = '0', buyer, seller } = events[0]?.json ?? {};
      if (buyer === undefined) continue;
      if (buyer === treasury) pieces.set(nftId, BigInt(price));
      if (seller === treasury && pieces.has(nftId)) {
        results.push(BigInt(price) - (pieces.get(nftId) ?? 0n));
        pieces.delete(nftId);
      }
    }
    expect(pieces.size).toBe(0);
    expect([results.filter((result) => result > 0n).length, results.filter((result) => result < 0n).length]).toEqual([
      14, 8,
    ]);
  });
});
