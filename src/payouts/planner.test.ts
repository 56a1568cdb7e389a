import { expect, test } from 'vitest';

import { addressOf, treasury } from '../../tests/support/checked-plans.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { coinsOf, previewOf } from './planner.ts';
import { readDraft } from './web/admin/draft-values.ts';

const coinType = `${addressOf(9)}::coin::COIN`;
const described = { symbol: 'SUI', decimals: 9 };

test.each([
  [
    'the treasury no longer holds',
    { rawBalance: 0n, metadata: described },
    'The treasury no longer holds this coin. Choose another one.',
    'coin',
  ],
  [
    'has metadata that was not read yet',
    { rawBalance: 5n, metadata: undefined },
    'The chain has no metadata for this coin, or it was not read yet: amounts of it cannot be read.',
    'coin',
  ],
  [
    'the chain has no metadata for',
    { rawBalance: 5n, metadata: null },
    'The chain has no metadata for this coin, or it was not read yet: amounts of it cannot be read.',
    'coin',
  ],
] as const)('a coin that %s is refused for exactly that', (_name, { rawBalance, metadata }, message, about) => {
  const reading = {
    balances: [
      { coinType, rawBalance },
      { coinType: suiCoinType, rawBalance: 5n },
    ],
    metadata: new Map([[suiCoinType, described], ...(metadata === undefined ? [] : [[coinType, metadata] as const])]),
  };
  const deps = {
    settings: { network: 'mainnet', treasuryAddress: treasury, collectionType: 'rock' },
    treasury: { reading: () => reading },
    rocks: { book: { owners: () => [{ number: 1, owner: addressOf(1) }] } },
    clock: { now: () => new Date(0) },
  } as unknown as PayoutDeps;
  const terms = { title: 'October', reason: 'Revenue', leftOut: [] };
  expect(previewOf(deps, { ...terms, coinType, amount: { mode: 'per-rock', raw: '1' } })).toEqual({
    kind: 'refused',
    message,
    about,
  });
  const typed = { ...terms, coinType, mode: 'per-rock', amount: '1', leftOut: [] } as const;
  expect(readDraft(typed, [...(coinsOf(deps) ?? [])]).problems).toEqual({ coin: message });
});
