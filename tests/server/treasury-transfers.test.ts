import { expect, test } from 'vitest';

import { readTransactions, transferIn } from '../../scripts/treasury-transfers.ts';
import {
  batType,
  createTreasuryWorld,
  kioskType,
  padded,
  suiType,
  treasuryAddress,
} from '../support/treasury-world.ts';

const holder = padded('a1');
const usdcType = `${padded('dba')}::usdc::USDC`;
const to = [{ address: holder, raw: 7n }];

test('npm run verify-payout reads what the treasury paid to others beside a swap, and nothing that others do', () => {
  const { execute, truth } = createTreasuryWorld();
  const paid = [holder, suiType, 7n] as const;
  execute(treasuryAddress, null, [[treasuryAddress, suiType, -7n], paid]);
  execute(treasuryAddress, null, [[treasuryAddress, usdcType, -1n], [treasuryAddress, suiType, 90n], paid]);
  execute(treasuryAddress, null, [[treasuryAddress, suiType, 83n], paid]);
  execute(padded('a2'), null, [[padded('a2'), suiType, -90n], [treasuryAddress, suiType, 83n], paid]);
  const [transfer, swap, unstake, mint] = truth().transactions.map((tx) => transferIn(tx, treasuryAddress, suiType));
  expect(transfer).toMatchObject({ isMixed: false, to });
  expect(swap).toMatchObject({ isMixed: true, to });
  expect(unstake).toMatchObject({ isMixed: true, to });
  expect(mint).toBeNull();
});

test('a purchase is not a transfer, even if the piece goes from kiosk to kiosk; a shared object that is only used makes no purchase', () => {
  const { addPiece, execute, moving, truth } = createTreasuryWorld();
  const pays = [
    [treasuryAddress, suiType, -7n],
    [holder, suiType, 7n],
  ] as const;
  const piece = addPiece(batType);
  moving(piece, { kind: 'kiosk', kioskId: padded('b1') });
  execute(treasuryAddress, null, pays, moving(piece, { kind: 'kiosk', kioskId: padded('b2') }));
  const made = addPiece(batType);
  execute(treasuryAddress, null, pays, moving(made, { kind: 'wallet', address: treasuryAddress }));
  execute(treasuryAddress, null, pays, moving(made, { kind: 'wallet', address: holder }));
  const none = { kind: 'none' } as const;
  const used = { objectId: padded('c1'), objectType: kioskType, before: none, after: none };
  execute(treasuryAddress, null, pays, [{ ...used, isCreated: false, isDeleted: false }]);
  const found = truth().transactions.map((tx) => transferIn(tx, treasuryAddress, suiType));
  expect(found).toMatchObject([true, true, false, false].map((isMixed) => ({ isMixed, to })));
});

test('gas that a sponsor or a holder pays, and a rebate of it, is no part of what the treasury sent', () => {
  const { execute, truth } = createTreasuryWorld();
  execute(treasuryAddress, null, []);
  const sentWith = (gasPayer: string, gasMist: bigint, changes: Readonly<Record<string, bigint>>) => {
    const balanceChanges = Object.entries(changes).map(([address, raw]) => ({ address, coinType: suiType, raw }));
    return transferIn({ ...truth().transactions[0]!, gasPayer, gasMist, balanceChanges }, treasuryAddress, suiType);
  };
  const sponsor = padded('a2');
  for (const found of [
    sentWith(holder, 2n, { [treasuryAddress]: -7n, [holder]: 5n }),
    sentWith(sponsor, -3n, { [treasuryAddress]: -7n, [holder]: 7n, [sponsor]: 3n }),
    sentWith(treasuryAddress, -3n, { [treasuryAddress]: -4n, [holder]: 7n }),
  ])
    expect(found).toMatchObject({ isMixed: false, to });
});

test('npm run verify-payout does not read the past from the archive of another chain', async () => {
  const source = (oldest: bigint, chainId: string) => ({
    readKeptCheckpoints: async () => ({ oldest, newest: 90n, newestAt: null, chainId, epoch: null }),
    listTransactions: async () => ({
      transactions: [],
      cursor: new Uint8Array(),
      coveredCheckpoint: null,
      isAtTip: true,
    }),
  });
  const past = (archiveChain: string) =>
    readTransactions({ node: source(50n, 'ours'), archive: source(0n, archiveChain) }, treasuryAddress, {
      after: 6n,
      snapshot: 6n,
    });
  expect(await past('ours')).toMatchObject({ transactions: [], newest: 90n });
  expect(await past('theirs')).toEqual({ problem: 'The node is on chain ours, but the archive is on chain theirs.' });
});
