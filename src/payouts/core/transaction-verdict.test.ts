import { describe, expect, test } from 'vitest';

import { type SeenOfIt, verdictOf } from './transaction-verdict.ts';

const handedOut = { digest: 'own', expiresEpoch: 7n, chainId: 'a' };
const nothing: SeenOfIt = { tip: { newest: 90n, epoch: 7n, chainId: 'a' }, spender: null, own: null };
const at = new Date('2026-11-20T10:00:00Z');

describe('a transaction that was handed out', () => {
  test.each<[string, Partial<SeenOfIt>]>([
    ['nothing is known of', {}],
    ['is executed and in no checkpoint yet', { own: { isSuccess: true, checkpoint: null, at: null } }],
    ['has itself spent its coins, as another node says', { spender: { digest: 'own', checkpoint: 80n } }],
    ['is looked up in its last epoch', { tip: { ...nothing.tip, epoch: 7n } }],
    ['is looked up at a node that says no epoch', { tip: { ...nothing.tip, epoch: null } }],
    ['is looked up at a node that says no chain', { tip: { ...nothing.tip, chainId: null } }],
  ])('waits while it %s', (_what, seen) => {
    expect(verdictOf(handedOut, { ...nothing, ...seen })).toEqual({ state: 'waiting' });
  });

  test.each<[string, Partial<SeenOfIt>, object]>([
    ['executed', { own: { isSuccess: true, checkpoint: 80n, at } }, { checkpoint: 80n, at }],
    ['failed', { own: { isSuccess: false, checkpoint: 80n, at } }, { checkpoint: 80n, at }],
    ['spent', { spender: { digest: 'other', checkpoint: 81n } }, { checkpoint: 81n, at: null }],
    ['expired', { tip: { ...nothing.tip, epoch: 8n } }, { checkpoint: 90n, at: null }],
    ['expired', { tip: { ...nothing.tip, chainId: 'b' } }, { checkpoint: 90n, at: null }],
  ])('is %s, and the ledger has to be read up to where that is so', (state, seen, rest) => {
    expect(verdictOf(handedOut, { ...nothing, ...seen })).toEqual({ state, ...rest });
  });

  test('that was executed in its last epoch is executed, whatever the epoch is now', () => {
    const late = { tip: { ...nothing.tip, epoch: 12n }, own: { isSuccess: true, checkpoint: 80n, at } };
    expect(verdictOf(handedOut, { ...nothing, ...late, spender: { digest: 'other', checkpoint: 85n } })).toMatchObject({
      state: 'executed',
    });
  });
});
