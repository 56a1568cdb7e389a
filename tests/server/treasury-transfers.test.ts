import { expect, test } from 'vitest';

import { transferIn } from '../../scripts/treasury-transfers.ts';
import { createTreasuryWorld, padded, suiType, treasuryAddress } from '../support/treasury-world.ts';

const holder = padded('a1');
const usdcType = `${padded('dba')}::usdc::USDC`;
const to = [{ address: holder, raw: 7n }];

test('npm run verify-payout reads whom the treasury paid beside a swap, and nothing of what others do', () => {
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
