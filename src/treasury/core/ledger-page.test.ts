import { describe, expect, test } from 'vitest';

import type { ChainTransaction, ChangedObject } from '../../sources/sui/chain-transaction.ts';
import { kioskOwnerCapType, stakedSuiType, suiCoinType } from '../../shared/sui-address.ts';
import { type Holdings, kiosksMax, nextPage, readPage, type TreasuryRules } from './ledger-page.ts';
import { isOfCollection } from './nft-moves.ts';

const [treasury, seller, stranger] = ['0xa', '0xb', '0xc'] as const;
const bat = '0xd::bat::Bat';
const rules: TreasuryRules = {
  address: treasury,
  isNft: (type) => type === bat,
  isOwnCollection: () => false,
  isCap: () => false,
};
const nothing: Holdings = {
  kiosks: new Map(),
  hasLeftOutKiosks: false,
  escrowed: new Set(),
  tradedCollections: new Set(),
  knownCoins: new Set([suiCoinType]),
};

const wallet = (address: string) => ({ kind: 'wallet', address }) as const;

let position = 0;
/** A piece comes to the treasury. `paid`: what the treasury gives the seller for it. */
function piece(objectId: string, { sender, paid = 0n }: { readonly sender: string; readonly paid?: bigint }) {
  position += 1;
  const transaction: ChainTransaction = {
    digest: `digest ${position}`,
    checkpoint: 7n,
    position,
    at: new Date(0),
    sender,
    gasPayer: sender,
    gasMist: 0n,
    balanceChanges:
      paid === 0n
        ? []
        : [
            { address: treasury, coinType: suiCoinType, raw: -paid },
            { address: seller, coinType: suiCoinType, raw: paid },
          ],
    objects: [
      {
        objectId,
        objectType: bat,
        before: wallet(seller),
        after: wallet(treasury),
        isCreated: false,
        isDeleted: false,
      },
    ],
  };
  return transaction;
}

describe('an NFT that comes while the treasury pays no coin', () => {
  test('is listed separately if the treasury has never traded its collection', () => {
    const { entries, holdings } = readPage([piece('0x1', { sender: stranger })], nothing, rules, new Map());
    expect(entries).toMatchObject([{ isApart: true, kind: 'other' }]);
    expect(holdings.tradedCollections).toEqual(new Set());
  });

  test('is not spam if the treasury has bought from its collection before, since its bid may have been accepted', () => {
    const bought = piece('0x1', { sender: treasury, paid: 5n });
    const { entries, holdings } = readPage([bought, piece('0x2', { sender: seller })], nothing, rules, new Map());
    expect(entries).toMatchObject([
      { isApart: false, kind: 'nft-purchase' },
      { isApart: false, kind: 'transfer-in', counterparty: seller },
    ]);
    expect(holdings.tradedCollections).toEqual(new Set([bat]));
  });
});

describe('kiosk caps, which anyone can send', () => {
  const capType = kioskOwnerCapType;
  const withCaps = { ...rules, isCap: (type: string) => type === capType };
  const kiosksOf = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`cap ${at}`, `kiosk ${at}`]));
  const full = { ...nothing, kiosks: kiosksOf(kiosksMax) };
  const cap = (sender: string, before: string) => ({
    ...piece('0x1', { sender }),
    objects: [
      {
        objectId: 'a cap',
        objectType: capType,
        before: wallet(before),
        after: wallet(treasury),
        isCreated: false,
        isDeleted: false,
      },
    ],
  });
  const read = (transaction: ChainTransaction, before: Holdings) =>
    readPage([transaction], before, withCaps, new Map([['a cap', 'a kiosk']]));

  test('are followed up to a limit; beyond it the ledger records that one was left out, and goes on', () => {
    expect(read(cap(stranger, stranger), { ...nothing, kiosks: kiosksOf(kiosksMax - 1) })).toMatchObject({
      againFrom: 7n,
      holdings: { hasLeftOutKiosks: false },
    });
    const { holdings, againFrom } = read(cap(stranger, stranger), full);
    expect([holdings.kiosks.size, holdings.hasLeftOutKiosks, againFrom]).toEqual([kiosksMax, true, null]);
  });

  test('are always followed if the treasury itself brings them in, or uses one that was left out', () => {
    for (const before of [seller, treasury]) {
      const { holdings, againFrom } = read(cap(treasury, before), full);
      expect([holdings.kiosks.get('a cap'), againFrom]).toEqual(['a kiosk', 7n]);
      expect(read(cap(treasury, before), holdings).againFrom).toBeNull();
    }
  });

  test('are sent to whoever gets one from the treasury: a kiosk given away with its NFTs is no network fee', () => {
    const [object] = cap(treasury, treasury).objects;
    const given = { ...cap(treasury, treasury), objects: [{ ...object!, after: wallet(seller) }] };
    const { entries, holdings } = read(given, { ...nothing, kiosks: new Map([['a cap', 'a kiosk']]) });
    const nfts = [{ objectId: 'a cap', collectionType: capType, direction: 'out' }];
    expect(entries).toMatchObject([{ kind: 'transfer-out', counterparty: seller, nfts }]);
    expect(holdings.kiosks.size).toBe(0);
  });
});

describe('a position in a pool', () => {
  const position = { objectId: '0x6', objectType: bat, before: null, after: null, isCreated: false, isDeleted: false };
  const own = (object: Partial<ChangedObject>, raw: bigint) => {
    const objects = [{ ...position, ...object }];
    const balanceChanges = [{ address: treasury, coinType: suiCoinType, raw }];
    const transaction = { ...piece('0x1', { sender: treasury }), objects, balanceChanges };
    return readPage([transaction], nothing, rules, new Map()).entries[0];
  };

  test('is neither bought when opened nor sold when closed: it is created for the coins and destroyed for them', () => {
    expect(own({ after: wallet(treasury), isCreated: true }, -1_000n)).toMatchObject({ kind: 'other' });
    expect(own({ before: wallet(treasury), isDeleted: true }, 1_001n)).toMatchObject({ kind: 'other' });
  });

  test('that someone else owns afterwards was sold, like any other piece', () => {
    expect(own({ before: wallet(treasury), after: wallet(seller) }, 1_001n)).toMatchObject({ kind: 'nft-sale' });
  });
});

describe('gas that a sponsor pays for the treasury', () => {
  const payer = '0xf';
  const sui = (address: string, raw: bigint) => ({ address, coinType: suiCoinType, raw });
  const sponsored = (balanceChanges: ChainTransaction['balanceChanges'], rest: Partial<ChainTransaction> = {}) => {
    const transaction = { ...piece('0x1', { sender: treasury }), objects: [], gasPayer: payer, gasMist: 3n };
    return readPage([{ ...transaction, balanceChanges, ...rest }], nothing, rules, new Map()).entries[0];
  };

  test('is not income: coins that the treasury takes out of a pool have no counterparty', () => {
    expect(sponsored([sui(treasury, 1_000n), sui(payer, -3n)])).toMatchObject({
      kind: 'other',
      counterparty: null,
      gasMist: 0n,
      changes: [{ coinType: suiCoinType, raw: 1_000n }],
    });
  });

  test('does not hide what its payer really gives', () => {
    expect(sponsored([sui(treasury, 1_000n), sui(payer, -1_003n)])).toMatchObject({
      kind: 'transfer-in',
      counterparty: payer,
    });
  });

  test('that comes back as a rebate is not a payment: taking the stake back is still staking', () => {
    const ended = { objectId: '0x5', objectType: stakedSuiType, isCreated: false, isDeleted: true };
    const objects = [{ ...ended, before: wallet(treasury), after: null }];
    const changes = [sui(treasury, 102n), sui(payer, 2n)];
    expect(sponsored(changes, { gasMist: -2n, objects })).toMatchObject({ kind: 'staking', nfts: [] });
  });

  test('is not one of the equal shares of a payout', () => {
    const people = ['0x21', '0x22', '0x23'].map((address) => sui(address, 10n));
    expect(sponsored([sui(treasury, -30n), ...people, sui(payer, 7n)], { gasMist: -7n })).toMatchObject({
      kind: 'payout',
      sent: people,
    });
  });
});

describe('staked SUI', () => {
  const lst = '0xe::afsui::AFSUI';
  const stake = { objectId: '0x5', objectType: stakedSuiType, isCreated: false, isDeleted: false };
  const made = { ...stake, before: null, after: wallet(treasury), isCreated: true };
  const ended = { ...stake, before: wallet(treasury), after: null, isDeleted: true };
  type Change = ChainTransaction['balanceChanges'][number];
  const sui = (address: string, raw: bigint): Change => ({ address, coinType: suiCoinType, raw });

  const entryOf = (
    objects: ChainTransaction['objects'],
    balanceChanges: readonly Change[],
    sender: string = treasury,
  ) => readPage([{ ...piece('0x1', { sender }), objects, balanceChanges }], nothing, rules, new Map()).entries[0];

  test.each([
    ['given to a validator', [made], [sui(treasury, -100n)]],
    ['taken back, with its reward', [ended], [sui(treasury, 102n)]],
    ['taken back in part', [{ ...made, before: wallet(treasury), isCreated: false }], [sui(treasury, 40n)]],
    ['joined with another', [{ ...made, before: wallet(treasury), isCreated: false }, ended], []],
  ])('%s is staking, and no object moves', (_what, objects, changes) => {
    expect(entryOf(objects, changes)).toMatchObject({ kind: 'staking', nfts: [], isApart: false });
  });

  test.each([
    ['sent away', [{ ...ended, after: wallet(seller), isDeleted: false }], [], 'transfer-out', 'out'],
    ['given for another coin', [ended], [{ address: treasury, coinType: lst, raw: 90n }], 'other', 'out'],
    ['put into another object', [{ ...ended, isDeleted: false }], [], 'transfer-out', 'out'],
    ['made beside a payment', [made], [sui(treasury, -1_100n), sui(seller, 1_000n)], 'transfer-out', 'in'],
  ] as const)('%s moves as an object: no coin change gives its amount', (_what, objects, changes, kind, direction) => {
    const nfts = [{ collectionType: stakedSuiType, direction }];
    expect(entryOf(objects, changes)).toMatchObject({ kind, nfts, isApart: false });
  });

  test('that a stranger sends is listed separately', () => {
    const given = { ...stake, before: wallet(stranger), after: wallet(treasury) };
    expect(entryOf([given], [], stranger)).toMatchObject({ kind: 'other', isApart: true });
  });

  test('belongs to no collection, although it is listed with the NFTs, and neither does the cap of a kiosk', () => {
    const types = [stakedSuiType, kioskOwnerCapType, bat];
    expect(types.map((collectionType) => isOfCollection({ collectionType }))).toEqual([false, false, true]);
  });
});

describe('after a page that began at checkpoint 5', () => {
  const cursor = new Uint8Array([1]);
  const page = { coveredCheckpoint: 7n, cursor, isAtTip: true };

  test.each([
    ['reading goes on after the last whole checkpoint', page, null, { coveredCheckpoint: 7n, fromCheckpoint: 8n }],
    ['a checkpoint longer than a page goes on at the cursor', { ...page, coveredCheckpoint: null }, null, { cursor }],
    ['a kiosk that came in checkpoint 7 makes it read again', page, 7n, { coveredCheckpoint: 6n, isAtTip: false }],
    [
      'and so does one that came in the first',
      page,
      5n,
      { coveredCheckpoint: null, fromCheckpoint: 5n, cursor: undefined },
    ],
  ])('%s', (_what, end, againFrom, expected) => {
    expect(nextPage(5n, end, againFrom)).toMatchObject(expected);
  });
});
