import { describe, expect, test } from 'vitest';

import { type NodeAnswers, verdictOf } from './transaction-verdict.ts';

const handedOut = { digest: 'own', expiresEpoch: 7n, chainId: 'a' };
const nothing: NodeAnswers = { tip: { newest: 90n, epoch: 7n, chainId: 'a' }, spender: null, own: null };
const at = new Date('2026-11-20T10:00:00Z');

describe('a transaction that was handed out', () => {
  test.each<[string, Partial<NodeAnswers>]>([
    ['nothing is known of it', {}],
    ['it is executed but in no checkpoint yet', { own: { isSuccess: true, checkpoint: null, at: null } }],
    ['it has spent its coins itself, according to another node', { spender: { digest: 'own', checkpoint: 80n } }],
    ['its last epoch is not over', { tip: { ...nothing.tip, epoch: 7n } }],
    ['the node does not name its epoch', { tip: { ...nothing.tip, epoch: null } }],
    ['the node does not name its chain', { tip: { ...nothing.tip, chainId: null } }],
  ])('waits while %s', (_what, seen) => {
    expect(verdictOf(handedOut, { ...nothing, ...seen })).toEqual({ state: 'waiting' });
  });

  test.each<[string, Partial<NodeAnswers>, object]>([
    ['executed', { own: { isSuccess: true, checkpoint: 80n, at } }, { checkpoint: 80n, at }],
    ['failed', { own: { isSuccess: false, checkpoint: 80n, at } }, { checkpoint: 80n, at }],
    ['spent', { spender: { digest: 'other', checkpoint: 81n } }, { checkpoint: 81n, at: null }],
    ['expired', { tip: { ...nothing.tip, epoch: 8n } }, { checkpoint: 90n, at: null }],
    ['expired', { tip: { ...nothing.tip, chainId: 'b' } }, { checkpoint: 90n, at: null }],
  ])('is %s, with the checkpoint up to which the ledger must be read', (state, seen, rest) => {
    expect(verdictOf(handedOut, { ...nothing, ...seen })).toEqual({ state, ...rest });
  });

  test('is executed if it was executed in its last epoch, whatever the epoch is now', () => {
    const late = { tip: { ...nothing.tip, epoch: 12n }, own: { isSuccess: true, checkpoint: 80n, at } };
    expect(verdictOf(handedOut, { ...nothing, ...late, spender: { digest: 'other', checkpoint: 85n } })).toMatchObject({
      state: 'executed',
    });
  });
});
