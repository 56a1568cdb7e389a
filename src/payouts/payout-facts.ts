import type { PayoutFacts, PayoutNews } from '../treasury/ledger-contract.ts';
import { amountText } from './core/payout-words.ts';
import type { PayoutBook, PublishedPayout } from './payout-book.ts';
import { payoutLink } from './web/payout-addresses.ts';

/** What the ledger shows of payouts: which transactions belong to one, and what is new. */
export function createPayoutFacts(book: PayoutBook): PayoutFacts {
  let known: ReadonlyMap<string, number> | null = null;
  book.onChange(() => (known = null));
  const payoutOfDigest = (): ReadonlyMap<string, number> => (known ??= digestsOf(book.published()));
  return {
    payoutOf: (digest) => payoutOfDigest().get(digest) ?? null,
    digests: () => [...payoutOfDigest().keys()],
    news: () => book.published().flatMap(newsOf),
    onChange: (run) => book.onChange(run),
  };
}

const paymentsOf = ({ result: { lines, strays } }: PublishedPayout) => [
  ...lines.flatMap(({ payments }) => payments),
  ...strays,
];

const digestsOf = (payouts: readonly PublishedPayout[]): ReadonlyMap<string, number> =>
  new Map(payouts.flatMap((payout) => paymentsOf(payout).map(({ digest }) => [digest, payout.kept.id] as const)));

function newsOf(payout: PublishedPayout): readonly PayoutNews[] {
  const { id, title, coin, shareRaw, rocks, state, publishedAt, withdrawn } = payout.summary;
  const news = (what: string, at: string, words: string): PayoutNews => ({
    id: `payout:${id}:${what}`,
    at,
    title: `${words}: ${title}, ${amountText(shareRaw, coin)} for each of ${rocks} rocks`,
    path: payoutLink(id),
  });
  const lastPaidAt = paymentsOf(payout).reduce((last, { at }) => Math.max(last, at.getTime()), 0);
  return [
    news('published', publishedAt, 'Payout announced'),
    ...(withdrawn === null ? [] : [news('withdrawn', withdrawn.at, 'Payout withdrawn')]),
    ...(state === 'paid' ? [news('paid', new Date(lastPaidAt).toISOString(), 'Payout paid')] : []),
  ];
}
