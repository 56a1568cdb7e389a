import { expect, test } from 'vitest';

import { createManualClock } from '../../tests/support/manual-clock.ts';
import { held, readingOf, rocks, settings, sui } from '../../tests/support/treasury-reading.ts';
import { Unavailable } from '../shared/failure.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import { createMetadataBook } from './metadata-book.ts';
import { readTreasury } from './read-treasury.ts';

const clock = createManualClock();
const last = readingOf([sui], { holdings: [held(rocks, 3)] });

/** The chain counts the NFTs no more, for that reason; the coins are 7 SUI. */
function reading(reason: string) {
  const chain = {
    listBalances: () => Promise.resolve([{ coinType: suiCoinType, rawBalance: 7n }]),
    readCheckpoint: () => Promise.resolve(1n),
    readCoinInfo: () => Promise.resolve(null),
  };
  const readers = {
    sui: chain,
    collections: {
      readHoldings: () => Promise.reject(new Unavailable(reason, 'The wallet cannot be read')),
      readMarketFacts: () => Promise.resolve(new Map()),
    },
    prices: { readPrices: () => Promise.resolve(new Map()) },
  };
  const store = { loadMetadata: () => Promise.resolve(new Map()), saveMetadata: () => Promise.resolve() };
  const { treasuryAddress, collectionType } = settings;
  const log = { info: () => {}, warn: () => {} };
  const metadata = createMetadataBook(chain, store, clock);
  const context = { readers, metadata, clock, log, treasuryAddress, collectionType };
  return readTreasury(last, context, new AbortController().signal);
}

test.each(['too-many-kiosks', 'too-many-pages'])(
  'more than anybody can read (%s), sent by strangers: the coins go on, the last good count of NFTs stands with its age',
  async (reason) => {
    const { balances, holdings, holdingsReadAt } = await reading(reason);
    expect(balances).toEqual([{ coinType: suiCoinType, rawBalance: 7n }]);
    expect({ holdings, holdingsReadAt }).toEqual({ holdings: last.holdings, holdingsReadAt: last.holdingsReadAt });
  },
);

test('an outage of the chain is no count of NFTs: the whole reading fails', async () => {
  await expect(reading('timeout')).rejects.toMatchObject({ reason: 'timeout' });
});
