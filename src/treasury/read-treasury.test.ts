import { expect, test } from 'vitest';

import { createManualClock } from '../../tests/support/manual-clock.ts';
import { coin, held, readingOf, rocks, settings, sui } from '../../tests/support/treasury-reading.ts';
import { Unavailable } from '../shared/failure.ts';
import type { NodeTip } from '../sources/sui/sui-call.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import { createCoinMetadataCache, type KnownMetadata } from './coin-metadata.ts';
import { createPartOutages, readTreasury } from './read-treasury.ts';

const clock = createManualClock();
const last = readingOf([sui], { holdings: [held(rocks, 3)] });

interface Chain {
  readonly coinTypes?: readonly string[];
  /** Why the NFTs can no longer be counted. */
  readonly reason?: string;
  readonly stakedMist?: Promise<bigint>;
  /** The time of the node's newest checkpoint. */
  readonly newestAt?: Date | null;
  /** What the answer with the balances says of its node. */
  readonly tips?: readonly NodeTip[];
  readonly readPrices?: () => Promise<ReadonlyMap<string, never>>;
}

const noPrices = async () => new Map<string, never>();
const logged: [details: object, sentence: string][] = [];
const keep = (details: object, sentence: string): void => void logged.push([details, sentence]);

/** Every coin has a name and a balance of 7 base units; metadata is stored in memory only. */
function contextOf({
  coinTypes = [suiCoinType],
  reason,
  stakedMist = Promise.resolve(5n),
  newestAt = null,
  tips = [],
  readPrices = noPrices,
}: Chain) {
  const chain = {
    watchTips: async <T>(work: () => Promise<T>) => ({ value: await work(), tips }),
    listBalances: () => Promise.resolve(coinTypes.map((coinType) => ({ coinType, rawBalance: 7n }))),
    readStakedMist: () => stakedMist,
    readKeptCheckpoints: async () => ({ oldest: 0n, newest: 1n, newestAt, chainId: null, epoch: null }),
    readCoinInfo: (coinType: string) => Promise.resolve(coin(coinType, 'NAME', 9)),
  };
  const readHoldings = () =>
    reason === undefined ? Promise.resolve([]) : Promise.reject(new Unavailable(reason, 'The wallet cannot be read'));
  const readers = {
    sui: chain,
    collections: { readHoldings, readMarketFacts: () => Promise.resolve(new Map()) },
    prices: { readPrices },
  };
  const rows = new Map<string, KnownMetadata>();
  const store = {
    loadMetadata: async (types: readonly string[]) => {
      const wanted = new Set(types);
      return new Map([...rows].filter(([coinType]) => wanted.has(coinType)));
    },
    saveMetadata: async (read: readonly KnownMetadata[]) => read.forEach((each) => rows.set(each.coinType, each)),
  };
  const log = { info: keep, warn: keep };
  const metadata = createCoinMetadataCache(chain, store, clock);
  return { readers, metadata, clock, log, outages: createPartOutages(log), settings };
}

const { signal } = new AbortController();
const reading = (reason: string) => readTreasury(last, contextOf({ reason }), signal);

test.each(['too-many-kiosks', 'too-many-pages'])(
  'when strangers send more than can be read (%s), coins are still read and the last good NFT count stays with its age',
  async (reason) => {
    const { balances, holdings, holdingsReadAt } = await reading(reason);
    expect(balances).toEqual([{ coinType: suiCoinType, rawBalance: 7n }]);
    expect({ holdings, holdingsReadAt }).toEqual({ holdings: last.holdings, holdingsReadAt: last.holdingsReadAt });
  },
);

test('what a node that has stopped says is as old as its newest checkpoint, and a node whose clock is ahead is read now', async () => {
  const now = clock.now();
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const stopped = await readTreasury(last, contextOf({ newestAt: hourAgo }), signal);
  expect([stopped.chainReadAt, stopped.holdingsReadAt]).toEqual([hourAgo, hourAgo]);
  const ahead = await readTreasury(last, contextOf({ newestAt: new Date(now.getTime() + 5_000) }), signal);
  expect([ahead.chainReadAt, ahead.holdingsReadAt]).toEqual([now, now]);
});

test('behind one address, the balances are as old as the node that gave them, and are held against the ledger there', async () => {
  const minuteAgo = new Date(clock.now().getTime() - 60_000);
  const tips = [{ checkpoint: 40n, at: minuteAgo }];
  const { chainReadAt, checkpoint } = await readTreasury(last, contextOf({ newestAt: clock.now(), tips }), signal);
  expect({ chainReadAt, checkpoint }).toEqual({ chainReadAt: minuteAgo, checkpoint: 40n });
});

test('a chain outage while NFTs are counted fails the whole reading', async () => {
  await expect(reading('timeout')).rejects.toMatchObject({ reason: 'timeout' });
});

test('staked SUI that cannot be read fails the whole reading', async () => {
  const stakedMist = Promise.reject(new Unavailable('too-many-pages', 'The staked SUI cannot be read'));
  const failed = readTreasury(last, contextOf({ stakedMist }), signal);
  await expect(failed).rejects.toMatchObject({ reason: 'too-many-pages' });
});

test('in a wallet flooded with coins, the metadata of each is read in time, even beyond the limit of one refresh', async () => {
  const coinTypes = Array.from({ length: 1_100 }, (_, index) => `0x${String(index).padStart(64, '0')}::s::S`);
  const context = contextOf({ coinTypes });
  let named = await readTreasury(null, context, signal);
  for (let turn = 0; turn < 1_100 / 40; turn += 1) {
    clock.advance(60_000);
    named = await readTreasury(named, context, signal);
  }
  expect(coinTypes.filter((coinType) => !named.metadata.has(coinType))).toEqual([]);
});

test('prices that cannot be read are logged with the cause, once until the reason changes or they can be read again', async () => {
  const failures = ['rate-limited', 'rate-limited', 'timeout'].map(
    (reason) => new Unavailable(reason, `No: ${reason}`),
  );
  const queue = [...failures];
  const readPrices = async () => {
    const failure = queue.shift();
    if (failure !== undefined) throw failure;
    return new Map<string, never>();
  };
  const context = contextOf({ readPrices });
  logged.length = 0;
  for (let turn = 0; turn < 5; turn += 1) await readTreasury(last, context, signal);
  const sentence = 'A part of the treasury (prices) could not be read';
  expect(logged).toEqual([
    [{ err: failures[0] }, `${sentence}; trying again`],
    [{ err: failures[2] }, `${sentence}; trying again`],
    [{}, `${sentence} for a while; it works again`],
  ]);
});
