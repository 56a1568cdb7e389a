import { transactionLink } from '../shared/explorer-links.ts';
import { gaveEachRock } from './core/payout-summary.ts';
import type { Payment } from './core/reconcile.ts';
import type { PayoutBook, PublishedPayout } from './payout-book.ts';
import { type PayoutAnswer, payoutPageSize, type PayoutsAnswer, type PayoutSummary } from './payouts-contract.ts';

export interface PayoutAnswerDeps {
  readonly book: PayoutBook;
  /** A name that the chain has for an address; null: none is known. */
  readonly nameOf: (address: string) => string | null;
  /** Without a trailing slash. */
  readonly explorerUrl: string;
}

/** Which lines: those of one rock or one address, or a page of all. */
interface AskedLines {
  readonly rock?: number | null | undefined;
  readonly address?: string | null | undefined;
  readonly page: number;
}

/** What calls and pages say of payouts, from memory. */
export interface PayoutAnswers {
  /** null: the payouts were never read. */
  all(): PayoutsAnswer | null;
  /** null: no such payout is published. */
  one(id: number, asked: AskedLines): PayoutAnswer | null;
}

export const createPayoutAnswers = (deps: PayoutAnswerDeps): PayoutAnswers => ({
  all: () => (deps.book.problems() === null ? null : listed(deps.book)),
  one: (id, asked) => {
    const payout = deps.book.find(id);
    return payout === undefined ? null : onePage(deps, payout, asked);
  },
});

function listed(book: PayoutBook): PayoutsAnswer {
  const payouts = book.published().map(({ summary }) => summary);
  return {
    data: {
      asOf: book.asOf(),
      payouts,
      perRock: sumsOf(payouts.filter(gaveEachRock), ({ shareRaw }) => shareRaw),
      distributed: sumsOf(payouts, ({ paidRaw }) => paidRaw),
    },
  };
}

/** By coin; a coin of which there is nothing is left out. */
function sumsOf(payouts: readonly PayoutSummary[], rawOf: (payout: PayoutSummary) => string) {
  return [...Map.groupBy(payouts, ({ coin }) => coin.type).values()].flatMap((ofCoin) => {
    const sum = ofCoin.reduce((total, payout) => total + BigInt(rawOf(payout)), 0n);
    const [first] = ofCoin;
    return first === undefined || sum === 0n ? [] : [{ coin: first.coin, raw: String(sum) }];
  });
}

function onePage(
  { book, nameOf, explorerUrl }: PayoutAnswerDeps,
  { plan, result, summary }: PublishedPayout,
  { rock = null, address = null, page }: AskedLines,
): PayoutAnswer {
  const rows = plan.lines.map((line, index) => ({ line, result: result.lines[index] }));
  const wanted = rows.filter(
    ({ line }) => (rock === null || line.rocks.includes(rock)) && (address === null || line.address === address),
  );
  const start = (page - 1) * payoutPageSize;
  const payment = ({ digest, at, address: to, raw }: Payment) => ({
    digest,
    at: at.toISOString(),
    address: to,
    raw: String(raw),
    explorerUrl: transactionLink(explorerUrl, digest),
  });
  return {
    data: {
      ...summary,
      asOf: book.asOf(),
      leftOut: plan.leftOut,
      total: wanted.length,
      page,
      pageSize: payoutPageSize,
      found: wanted.slice(start, start + payoutPageSize).map(({ line, result: became }) => ({
        ...line,
        name: nameOf(line.address),
        state: became?.state ?? 'open',
        payments: (became?.payments ?? []).map(payment),
      })),
      strays: result.strays.map(payment),
    },
  };
}
