import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SweepPiecesAnswer, SweepsAnswer } from '../../src/treasury/ledger-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { TreasuryReading } from '../../src/treasury/core/reading.ts';
import { type LedgerScene, startLedgerScene } from '../support/ledger-scene.ts';
import { fact, market, quote } from '../support/treasury-reading.ts';

let scene: LedgerScene;
let valued: Pick<TreasuryReading, 'prices' | 'market'> = { prices: new Map(), market: null };
beforeAll(async () => {
  scene = await startLedgerScene({ valued: () => valued });
  await scene.read();
  await scene.price();
});
afterAll(() => scene.end());

const sweeps = async (): Promise<SweepsAnswer> =>
  ((await scene.ask('/api/treasury/sweeps')) as { data: SweepsAnswer }).data;
const pieces = async (collection: string, page = '1'): Promise<SweepPiecesAnswer> =>
  ((await scene.ask('/api/treasury/sweeps/pieces', { collection, page })) as { data: SweepPiecesAnswer }).data;

/** What the treasury paid for each piece, bought or minted, and what it was sold for, according to the marketplace. */
function marketStories() {
  const { actions, nfts, collections, treasuryAddress, ownCollectionKey } = scene.sandbox.world.state;
  return [...nfts.values()].flatMap(({ id, collectionKey }) => {
    const ofIt = actions.filter(({ nftId, type }) => nftId === id && (type === 'buy' || type === 'mint'));
    const cost = ofIt.find(({ receiver }) => receiver === treasuryAddress)?.priceMist ?? 0n;
    const sale = ofIt.find(({ type, sender }) => type === 'buy' && sender === treasuryAddress);
    const type = collections.get(collectionKey)?.nftType ?? '';
    return cost === 0n || collectionKey === ownCollectionKey
      ? []
      : [{ id, type, cost, proceeds: sale?.priceMist ?? null }];
  });
}

test('the cost and proceeds of each piece that the treasury swept are those of the marketplace', async () => {
  const stories = marketStories();
  expect(stories.length).toBeGreaterThan(15);
  for (const type of new Set(stories.map((each) => each.type))) {
    const { pieces: shown } = await pieces(type);
    const expected = stories.filter((each) => each.type === type);
    expect(shown).toHaveLength(expected.length);
    for (const { id, cost, proceeds } of expected) {
      const proceedsMist = proceeds === null ? null : String(proceeds);
      expect(shown.find(({ objectId }) => objectId === id)).toMatchObject({ costMist: String(cost), proceedsMist });
    }
  }
});

test('the win rate is counted from the pieces that were sold', async () => {
  const sold = marketStories().filter(({ proceeds }) => proceeds !== null);
  const won = sold.filter(({ cost, proceeds }) => (proceeds ?? 0n) > cost);
  const { winRate } = await sweeps();
  expect(winRate).toMatchObject({ won: won.length, decided: sold.length });
  expect(winRate.percent).toBeCloseTo((won.length / sold.length) * 100, 2);
});

test('a piece that is sold has a result in SUI and in USD, beside the same SUI held', async () => {
  const [type = ''] = marketStories().flatMap((each) => (each.proceeds === null ? [] : each.type));
  const sold = (await pieces(type)).pieces.filter(({ place }) => place === 'sold');
  expect(sold.length).toBeGreaterThan(0);
  for (const { costMist, proceedsMist, resultMist, resultUsd, suiHeldUsd } of sold) {
    expect(resultMist).toBe(String(BigInt(proceedsMist ?? 0) - BigInt(costMist ?? 0)));
    expect(resultUsd).not.toBeNull();
    expect(suiHeldUsd).not.toBeNull();
  }
});

test('a piece bought now is in the next answer, as held', async () => {
  const { world } = scene.sandbox;
  const { listings, nfts, treasuryAddress, collections } = world.state;
  const listing = listings.find(({ listed, seller }) => listed && seller !== treasuryAddress);
  const nft = nfts.get(listing?.nftId ?? '');
  const type = collections.get(nft?.collectionKey ?? '')?.nftType ?? '';
  const price = String(listing?.priceMist);
  world.buy({ nftId: nft?.id ?? '', buyer: treasuryAddress });
  await scene.read();
  expect((await pieces(type)).pieces[0]).toMatchObject({
    objectId: nft?.id,
    place: 'held',
    costMist: price,
    proceedsMist: null,
  });
  expect((await sweeps()).sweeps[0]).toMatchObject({ collectionType: type, heldAtFloorMist: null, resultMist: null });
});

test('the sweeps have the age of the oldest and the state of the worst of ledger, and floors and price of what is still held', async () => {
  const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
  const heading = async (floorAt: Date, priceAt: Date) => {
    const [held] = (await sweeps()).sweeps.filter((each) => each.held > 0);
    const price = { quote: quote('2', { asOf: priceAt }), readAt: priceAt };
    const other = fact('0x1::nobody::Bought', { asOf: ago(9_000) });
    valued = {
      prices: new Map([[suiCoinType, price]]),
      market: market(fact(held?.collectionType ?? '', { asOf: floorAt }), other),
    };
    await scene.read();
    const { asOf, state } = await sweeps();
    return { asOf, state };
  };
  expect((await heading(new Date(), new Date())).state).toBe('live');
  const twoDays = ago(2 * 24 * 60);
  expect(await heading(twoDays, ago(5))).toEqual({ asOf: twoDays.toISOString(), state: 'stale' });
  const early = ago(20);
  expect(await heading(ago(1), early)).toEqual({ asOf: early.toISOString(), state: 'stale' });
  valued = { prices: new Map(), market: null };
  await scene.read();
});

test('a collection that was never bought has no pieces', async () => {
  expect(await pieces('0x1::nobody::Bought')).toMatchObject({ total: 0, pieces: [] });
});

test('the CSV of the movements lists the NFTs of each by direction, and counts them', async () => {
  const [header = '', ...lines] = (await scene.csv()).text.trim().split('\r\n');
  expect(header).toMatch(/,nfts_in,nfts_out,.*,nfts_into_escrow,nfts_out_of_escrow,nft_count,/);
  const [digestAt, countAt] = ['digest', 'nft_count'].map((name) => header.split(',').indexOf(name));
  const counts = Map.groupBy(
    lines.map((line) => line.split(',')),
    (cells) => cells[digestAt ?? 0],
  );
  const entries = await scene.entries();
  expect(entries.some(({ nftCount }) => nftCount > 0)).toBe(true);
  for (const { digest, nftCount } of entries) {
    expect(
      counts
        .get(digest)
        ?.map((cells) => cells[countAt ?? 0])
        .join(''),
      digest,
    ).toBe(String(nftCount));
  }
});
