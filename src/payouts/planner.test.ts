import { expect, test } from 'vitest';

import { addressOf, treasury } from '../../tests/support/checked-plans.ts';
import { suiCoinType } from '../shared/sui-address.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { coinsOf, payableCoins, previewOf } from './planner.ts';
import { readDraft } from './web/admin/draft-values.ts';

const coinType = `${addressOf(9)}::coin::COIN`;
const described = { symbol: 'BONE', decimals: 9 };
const terms = { title: 'October', reason: 'Revenue', leftOut: [] };
const perRock = { mode: 'per-rock', raw: '1' } as const;

/** A treasury that holds SUI, and this much of the coin. */
function depsWith(rawBalance: bigint, metadata: typeof described | null | undefined): PayoutDeps {
  const reading = {
    balances: [
      { coinType, rawBalance },
      { coinType: suiCoinType, rawBalance: 5n },
    ],
    metadata: new Map([
      [suiCoinType, { symbol: 'SUI', decimals: 9 }],
      ...(metadata === undefined ? [] : [[coinType, metadata] as const]),
    ]),
  };
  return {
    settings: { network: 'mainnet', treasuryAddress: treasury, collectionType: 'rock' },
    treasury: { reading: () => reading },
    rocks: { catalog: { owners: () => [{ number: 1, owner: addressOf(1) }] } },
    clock: { now: () => new Date(0) },
  } as unknown as PayoutDeps;
}

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
  const deps = depsWith(rawBalance, metadata);
  expect(previewOf(deps, { ...terms, coinType, amount: perRock })).toEqual({ kind: 'refused', message, about });
  const typed = { ...terms, coinType, mode: 'per-rock', amount: '1', leftOut: [] } as const;
  expect(readDraft(typed, [...(coinsOf(deps) ?? [])]).problems).toEqual({ coin: message });
});

test.each(['USDC', 'SUl', 'USD\u0421'])(
  'a stranger’s coin that calls itself %s is neither offered nor paid out',
  (symbol) => {
    const deps = depsWith(5n, { symbol, decimals: 6 });
    const made = previewOf(deps, { ...terms, coinType, amount: perRock });
    expect(made).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('only copies the symbol'),
      about: 'coin',
    });
    expect(payableCoins(deps)).toMatchObject([{ type: suiCoinType }]);
    expect(payableCoins(depsWith(5n, described))).toHaveLength(2);
  },
);
