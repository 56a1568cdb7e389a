import type { Receipt, ReceiptSource } from '../market/rocks-contract.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import type { PayoutFacts, PayoutNews } from '../treasury/ledger-contract.ts';
import { paidText, sharesText } from './core/payout-summary.ts';
import type { Payment } from './core/reconcile.ts';
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

/** A swap or the like that paid a line too is still shown as what it was. */
const digestsOf = (payouts: readonly PublishedPayout[]): ReadonlyMap<string, number> =>
  new Map(
    payouts.flatMap((payout) =>
      paymentsOf(payout).flatMap(({ digest, isTransfer }) => (isTransfer ? [[digest, payout.kept.id] as const] : [])),
    ),
  );

function newsOf(payout: PublishedPayout): readonly PayoutNews[] {
  const { id, title, state, publishedAt, withdrawn } = payout.summary;
  const news = (what: string, at: string, words: string, gives = sharesText(payout.summary)): PayoutNews => ({
    id: `payout:${id}:${what}`,
    at,
    title: `${words}: ${title}, ${gives}`,
    path: payoutLink(id),
  });
  const lastPaidAt = paymentsOf(payout).reduce((last, { at }) => Math.max(last, at.getTime()), 0);
  return [
    news('published', publishedAt, 'Payout announced'),
    ...(withdrawn === null ? [] : [news('withdrawn', withdrawn.at, 'Payout withdrawn')]),
    ...(state === 'paid'
      ? [news('paid', new Date(lastPaidAt).toISOString(), 'Payout paid', paidText(payout.summary))]
      : []),
  ];
}

/** What each rock and each address has received, newest first; found anew after a change, when first asked for. */
export function createReceipts(book: PayoutBook, explorerUrl: string): ReceiptSource {
  let found: Found | null = null;
  book.onChange(() => (found = null));
  const now = (): Found => (found ??= findReceipts(book.published(), explorerUrl));
  return {
    ofRock: (number) => now().byRock.get(number) ?? [],
    ofAddress: (address) => now().byAddress.get(address) ?? [],
  };
}

interface Found {
  readonly byRock: ReadonlyMap<number, readonly Receipt[]>;
  readonly byAddress: ReadonlyMap<string, readonly Receipt[]>;
}

function findReceipts(payouts: readonly PublishedPayout[], explorerUrl: string): Found {
  const all = payouts.flatMap((payout) => receiptsOf(payout, explorerUrl));
  const ofRocks = all.flatMap(({ shares, receipt }) =>
    shares.rocks.map((rock) => ({ key: rock, receipt: { ...receipt, raw: shares.raw } })),
  );
  return {
    byRock: listsOf(ofRocks),
    byAddress: listsOf(all.map(({ receipt }) => ({ key: receipt.address, receipt }))),
  };
}

function listsOf<Key>(receipts: readonly { readonly key: Key; readonly receipt: Receipt }[]) {
  const newestFirst = receipts.toSorted((one, other) => Date.parse(other.receipt.at) - Date.parse(one.receipt.at));
  const lists = Map.groupBy(newestFirst, ({ key }) => key);
  return new Map([...lists].map(([key, list]) => [key, list.map(({ receipt }) => receipt)]));
}

/** Each payment, with the rocks that it was for. Of another amount than planned nobody can say how much was for which rock. */
function receiptsOf({ plan, result }: PublishedPayout, explorerUrl: string) {
  const { shareRaw } = plan;
  const ofLines = plan.lines.flatMap(({ address, raw, rocks }, index) =>
    (result.lines[index]?.payments ?? []).map((payment) => {
      const isAsPlanned = payment.address === address && String(payment.raw) === raw;
      return { payment, shares: { rocks: isAsPlanned ? rocks : [], raw: shareRaw } };
    }),
  );
  const strays = result.strays.map((payment) => ({ payment, shares: { rocks: [], raw: shareRaw } }));
  return [...ofLines, ...strays].map(({ payment, shares }) => ({
    shares,
    receipt: receiptOf(plan, payment, explorerUrl),
  }));
}

const receiptOf = (
  { payout, title, coin }: PublishedPayout['plan'],
  { at, address, raw, digest }: Payment,
  explorerUrl: string,
): Receipt => ({
  payout,
  title,
  at: at.toISOString(),
  address,
  coin,
  raw: String(raw),
  digest,
  explorerUrl: transactionLink(explorerUrl, digest),
});
