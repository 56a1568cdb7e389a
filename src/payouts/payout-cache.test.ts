import { beforeEach, describe, expect, test } from 'vitest';

import { addressOf, smallPlan } from '../../tests/support/checked-plans.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { announcementCard } from './core/announcement-card.ts';
import type { Sent } from './core/reconcile.ts';
import type { StoredPayout } from './payout-store.ts';
import { allAnswer } from './payout-routes.ts';
import { createPayoutCache, createPayoutFacts, createReceipts, type PayoutCache } from './payout-cache.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { payoutPage, payoutsNoscriptHtml } from './payout-pages.ts';

const settings = { explorerUrl: 'https://explorer.example', collectionType: smallPlan.collection };
const [first, second] = smallPlan.lines;
/** A plan of two lines: 666 for two rocks, 333 for one. */
const kept = (id: number, withdrawnAt: Date | null = null): StoredPayout => ({
  id,
  version: id,
  terms: { ...smallPlan, coinType: smallPlan.coin.type, leftOut: [] },
  snapshot: { askedAt: null, problem: null },
  plan: { json: canonicalJson({ ...smallPlan, payout: id }), sha256: '0'.repeat(64) },
  published: { at: new Date(0), by: 'ogg' },
  withdrawn: withdrawnAt && { at: withdrawnAt, by: 'ogg', reason: 'A wrong title' },
  updated: { at: new Date(0), by: 'ogg' },
});
let checkpoint = 100n;
const sent = (to: Sent['to'], isTransfer = true): Sent => {
  checkpoint += 1n;
  const at = new Date(Number(checkpoint) * 1_000);
  return { digest: `digest ${checkpoint}`, checkpoint, at, coinType: smallPlan.coin.type, isTransfer, to };
};
const toFirst = { address: first!.address, raw: 666n };
const toSecond = { address: second!.address, raw: 333n };

async function cacheOf(payouts: readonly StoredPayout[], history: readonly Sent[]): Promise<PayoutCache> {
  const cache = createPayoutCache({
    store: { all: async () => payouts },
    transactions: { batches: async () => new Map() },
    ledger: { sentSince: async () => history, coveredAt: () => new Date(0) },
  });
  await cache.load();
  return cache;
}

const depsOf = (cache: PayoutCache) =>
  ({
    cache,
    rocks: { catalog: { nameOf: () => null } },
    settings,
    productName: 'Sui Rocks',
  }) as unknown as PayoutDeps;
const listOf = (cache: PayoutCache) => allAnswer(depsOf(cache));
const plainPageOf = (cache: PayoutCache) => payoutsNoscriptHtml(allAnswer(depsOf(cache)));
const paidNewsOf = (cache: PayoutCache) =>
  createPayoutFacts(cache)
    .news()
    .find(({ id }) => id === 'payout:1:paid')?.title;
const cardOf = (cache: PayoutCache) =>
  announcementCard('paid', cache.find(1)!.summary, 'https://rocks.example').lines.slice(0, 2);
function pageOf(cache: PayoutCache) {
  const filling = payoutPage(depsOf(cache)).fillingOf?.('1');
  return { description: filling?.values['payoutDescription'], html: filling?.blocks?.['snapshot:payout'] };
}

beforeEach(() => (checkpoint = 100n));

test('a payment after a payout was withdrawn counts for its replacement, not for the withdrawn payout', async () => {
  const cache = await cacheOf([kept(1, new Date(100_500)), kept(2)], [sent([toFirst, toSecond])]);
  expect(cache.published().map(({ summary: { id, state } }) => [id, state])).toEqual([
    [2, 'paid'],
    [1, 'withdrawn'],
  ]);
});

test('a swap that also paid a line is still shown as a swap, and its recipient has a receipt', async () => {
  const swap = sent([toFirst, { address: addressOf(500), raw: 1n }], false);
  const cache = await cacheOf([kept(1)], [swap, sent([toSecond])]);
  expect(cache.find(1)?.summary).toMatchObject({ state: 'paid', lines: { paid: 2 } });
  expect(cache.problems()).toEqual([]);
  expect(createPayoutFacts(cache).payoutOf(swap.digest)).toBeNull();
  expect(createPayoutFacts(cache).digests()).toEqual(['digest 102']);
  expect(createReceipts(cache, settings).ofAddress(first!.address)).toMatchObject([{ digest: swap.digest }]);
});

test('a rock of another collection has received nothing that a rock of the same number in the former collection got', async () => {
  const cache = await cacheOf([kept(1)], [sent([toFirst, toSecond])]);
  const receiptsIn = (collectionType: string) => createReceipts(cache, { ...settings, collectionType });
  const [rock = 0] = second!.rocks;
  expect(receiptsIn(smallPlan.collection).ofRock(rock)).toMatchObject([{ payout: 1, raw: '333' }]);
  expect(receiptsIn('0x9::lizard::Lizard').ofRock(rock)).toEqual([]);
  expect(receiptsIn('0x9::lizard::Lizard').ofAddress(second!.address)).toHaveLength(1);
});

describe('rulings R9: the words about a paid payout', () => {
  test('say that each rock has its share if all was paid as planned', async () => {
    const cache = await cacheOf([kept(1)], [sent([toFirst, toSecond])]);
    expect(listOf(cache)?.perRock).toMatchObject([{ raw: '333' }]);
    expect(paidNewsOf(cache)).toBe('Payout paid: October, 0.000000333 SUI for each of 3 rocks');
    expect(pageOf(cache).description).toContain('Paid: 0.000000333 SUI for each of 3 rocks, 0.000000999 SUI in all.');
    expect(pageOf(cache).html).toContain('2 of 2 lines');
    const shown = ['0.000000999 SUI paid, for 3 rocks of 2 holders', '0.000000333 SUI for each rock'];
    expect(cardOf(cache)).toEqual(shown);
  });

  test('never say that each rock has its share if a line was paid otherwise', async () => {
    const short = { ...toFirst, raw: 1n };
    const cache = await cacheOf([kept(1)], [sent([short, { address: addressOf(500), raw: 333n }, toSecond])]);
    expect(cache.find(1)?.summary).toMatchObject({ state: 'paid', lines: { paid: 1, paidOtherwise: 1 } });
    expect(listOf(cache)?.perRock).toEqual([]);
    expect(paidNewsOf(cache)).toBe('Payout paid: October, 1 of 2 lines as planned');
    expect(pageOf(cache).description).toContain('Paid: 1 of 2 lines as planned, 0.000000999 SUI in all.');
    expect(pageOf(cache).html).toContain('1 of 2 lines');
    expect(cardOf(cache)).toEqual([
      '1 of 2 lines as planned, for 3 rocks of 2 holders',
      '1 line got a different amount than planned, or the money went to another address.',
    ]);
    expect(announcementCard('paid', cache.find(1)!.summary, '').lines.join()).not.toContain('for each rock');
    // Two small payments are still not what the plan says.
    const again = await cacheOf([kept(1)], [sent([short, toSecond]), sent([short])]);
    expect(listOf(again)?.perRock).toEqual([]);
  });

  test('say as the time of the news when its last line was paid, whatever was sent afterwards', async () => {
    const [whole, again, stray] = [
      sent([toFirst, toSecond]),
      sent([toFirst]),
      sent([toSecond, { address: addressOf(500), raw: 1n }]),
    ];
    const cache = await cacheOf([kept(1)], [whole, again, stray]);
    expect(cache.find(1)?.result.strays).toHaveLength(1);
    const paid = createPayoutFacts(cache)
      .news()
      .find(({ id }) => id === 'payout:1:paid');
    expect(paid?.at).toBe(whole.at.toISOString());
  });

  test('say that a withdrawn payout is withdrawn, not that it is being paid, if some of its lines were paid', async () => {
    const cache = await cacheOf([kept(1, new Date(0))], [sent([toFirst])]);
    expect(cache.find(1)?.summary.state).toBe('paying');
    expect(plainPageOf(cache)).toContain('<td>Withdrawn</td>');
    expect(pageOf(cache).description).toMatch(/^Withdrawn: /);
    expect(pageOf(cache).html).toContain('<dd>Withdrawn</dd>');
  });

  test('say on the page without scripts what was distributed while no payout is complete', async () => {
    expect(plainPageOf(await cacheOf([kept(1)], []))).toContain('<p>Nothing has been paid yet. ');
    const partly = plainPageOf(await cacheOf([kept(1)], [sent([toFirst])]));
    expect(partly).toContain('<p>Distributed so far: 0.000000666 SUI. ');
    const whole = plainPageOf(await cacheOf([kept(1)], [sent([toFirst, toSecond])]));
    expect(whole).toContain('<p>One rock has received so far: 0.000000333 SUI. ');
  });
});
