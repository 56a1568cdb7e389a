import { expect, test } from 'vitest';

import { actionRow } from './rows.ts';

const row = {
  id: '1',
  type: 'buy',
  price: '15',
  price_coin: '0x5::usdc::USDC',
  sender: null,
  receiver: null,
  tx_id: null,
  block_time: '2026-11-20T10:00:00',
  market_name: null,
  nft: null,
};

test('an amount in another coin is kept as written, unless the database could not store it', () => {
  expect(actionRow.parse(row)).toMatchObject({ foreignCoinType: '0x5::usdc::USDC', foreignRawAmount: '15' });
  expect(actionRow.parse({ ...row, price: 1.5 }).foreignRawAmount).toBe('1.5');
  for (const price of ['1\0', '\ud800']) expect(actionRow.safeParse({ ...row, price }).success).toBe(false);
});
