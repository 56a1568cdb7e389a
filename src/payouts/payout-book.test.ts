import { beforeEach, describe, expect, test } from 'vitest';

import { addressOf, smallPlan } from '../../tests/support/checked-plans.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import type { Sent } from './core/reconcile.ts';
import type { StoredPayout } from './payout-store.ts';
import { allAnswer } from './payout-routes.ts';
import { createPayoutBook, createPayoutFacts, createReceipts, type PayoutBook } from './payout-book.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { payoutPage, payoutsNoscriptHtml } from './payout-pages.ts';

const explorerUrl = 'https://explorer.example';
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

async function bookOf(payouts: readonly StoredPayout[], history: readonly Sent[]): Promise<PayoutBook> {
  const book = createPayoutBook({
    store: { all: async () => payouts },
    transactions: { batches: async () => new Map() },
    ledger: { sentSince: async () => history, coveredAt: () => new Date(0) },
  });
  await book.load();
  return book;
}

const depsOf = (book: PayoutBook) =>
  ({
    book,
    rocks: { catalog: { holder: () => ({ data: { name: null } }) } },
    settings: { explorerUrl },
    productName: 'Sui Rocks',
  }) as unknown as PayoutDeps;
const listOf = (book: PayoutBook) => allAnswer(depsOf(book))?.data;
const plainPageOf = (book: PayoutBook) => payoutsNoscriptHtml(allAnswer(depsOf(book)));
const paidNewsOf = (book: PayoutBook) =>
  createPayoutFacts(book)
    .news()
    .find(({ id }) => id === 'payout:1:paid')?.title;
function pageOf(book: PayoutBook) {
  const filling = payoutPage(depsOf(book)).fillingOf?.('1');
  return { description: filling?.values['payoutDescription'], html: filling?.blocks?.['snapshot:payout'] };
}

beforeEach(() => (checkpoint = 100n));

test('a payment after a payout was withdrawn counts for its replacement, not for the withdrawn payout', async () => {
  const book = await bookOf([kept(1, new Date(100_500)), kept(2)], [sent([toFirst, toSecond])]);
  expect(book.published().map(({ summary: { id, state } }) => [id, state])).toEqual([
    [2, 'paid'],
    [1, 'withdrawn'],
  ]);
});

test('a swap that also paid a line is still shown as a swap, and its recipient has a receipt', async () => {
  const swap = sent([toFirst, { address: addressOf(500), raw: 1n }], false);
  const book = await bookOf([kept(1)], [swap, sent([toSecond])]);
  expect(book.find(1)?.summary).toMatchObject({ state: 'paid', lines: { paid: 2 } });
  expect(book.problems()).toEqual([]);
  expect(createPayoutFacts(book).payoutOf(swap.digest)).toBeNull();
  expect(createPayoutFacts(book).digests()).toEqual(['digest 102']);
  expect(createReceipts(book, explorerUrl).ofAddress(first!.address)).toMatchObject([{ digest: swap.digest }]);
});

describe('rulings R9: the words about a paid payout', () => {
  test('say that each rock has its share if all was paid as planned', async () => {
    const book = await bookOf([kept(1)], [sent([toFirst, toSecond])]);
    expect(listOf(book)?.perRock).toMatchObject([{ raw: '333' }]);
    expect(paidNewsOf(book)).toBe('Payout paid: October, 0.000000333 SUI for each of 3 rocks');
    expect(pageOf(book).description).toContain('Paid: 0.000000333 SUI for each of 3 rocks, 0.000000999 SUI in all.');
    expect(pageOf(book).html).toContain('2 of 2 lines');
  });

  test('never say that each rock has its share if a line was paid otherwise', async () => {
    const short = { ...toFirst, raw: 1n };
    const book = await bookOf([kept(1)], [sent([short, { address: addressOf(500), raw: 333n }, toSecond])]);
    expect(book.find(1)?.summary).toMatchObject({ state: 'paid', lines: { paid: 1, paidOtherwise: 1 } });
    expect(listOf(book)?.perRock).toEqual([]);
    expect(paidNewsOf(book)).toBe('Payout paid: October, 1 of 2 lines as planned');
    expect(pageOf(book).description).toContain('Paid: 1 of 2 lines as planned, 0.000000999 SUI in all.');
    expect(pageOf(book).html).toContain('1 of 2 lines');
    // Two small payments are still not what the plan says.
    const again = await bookOf([kept(1)], [sent([short, toSecond]), sent([short])]);
    expect(listOf(again)?.perRock).toEqual([]);
  });

  test('say on the page without scripts what was distributed while no payout is complete', async () => {
    expect(plainPageOf(await bookOf([kept(1)], []))).toContain('<p>Nothing is paid yet. ');
    const partly = plainPageOf(await bookOf([kept(1)], [sent([toFirst])]));
    expect(partly).toContain('<p>Distributed so far: 0.000000666 SUI. ');
    const whole = plainPageOf(await bookOf([kept(1)], [sent([toFirst, toSecond])]));
    expect(whole).toContain('<p>One rock has received so far: 0.000000333 SUI. ');
  });
});
