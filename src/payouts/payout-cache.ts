import type { Receipt, ReceiptSource } from '../market/rocks-contract.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import type { PayoutFacts, PayoutNews } from '../treasury/ledger-contract.ts';
import { paidText, type PayoutProblem, payoutProblems, sharesText, summaryOf } from './core/payout-summary.ts';
import { type Batch, isPlanned, type Payment, type PlanResult, reconcile, type Sent } from './core/reconcile.ts';
import type { PayoutStore } from './payout-store.ts';
import { type PayoutPlan, payoutPlan, type PayoutSummary } from './payouts-contract.ts';
import { payoutLink } from './web/payout-addresses.ts';

/** What the treasury sent, from its ledger (rulings R8). */
export interface SentReader {
  /** What was sent after a checkpoint, in the order of the chain. Throws what the database throws. */
  sentSince(checkpoint: bigint, coinTypes: readonly string[]): Promise<readonly Sent[]>;
  /** When the chain was last read; null: never. */
  coveredAt(): Date | null;
}

export interface PublishedPayout {
  /** The plan, byte for byte as published. */
  readonly json: string;
  readonly plan: PayoutPlan;
  readonly result: PlanResult;
  readonly summary: PayoutSummary;
}

export interface PayoutCacheDeps {
  readonly store: Pick<PayoutStore, 'all'>;
  readonly transactions: {
    /** The transactions handed out for each payout, whatever became of them. Throws what the database throws. */
    batches(): Promise<ReadonlyMap<number, readonly Batch[]>>;
  };
  readonly ledger: SentReader;
}

export type PayoutCache = ReturnType<typeof createPayoutCache>;

/** Every published payout in memory, with its state on chain; all public calls answer from here. */
export function createPayoutCache(deps: PayoutCacheDeps) {
  const listeners = new Set<() => void>();
  let payouts: readonly PublishedPayout[] = [];
  let problems: readonly PayoutProblem[] | null = null;
  return {
    /** Reads the database again. */
    load: async (): Promise<void> => {
      payouts = await readPublished(deps);
      problems = payouts.flatMap(({ plan, result }) => payoutProblems(plan, result));
      for (const run of listeners) run();
    },
    /** The last published first, whenever it was drafted. */
    published: () => payouts,
    /** undefined: no such payout is published. */
    find: (id: number) => payouts.find(({ summary }) => summary.id === id),
    asOf: () => deps.ledger.coveredAt()?.toISOString() ?? null,
    /** Payments that are not in the plan of their payout; null: nothing was read yet. */
    problems: () => problems,
    /** Runs after every load. */
    onChange: (run: () => void): void => void listeners.add(run),
  };
}

async function readPublished({ store, transactions, ledger }: PayoutCacheDeps): Promise<readonly PublishedPayout[]> {
  const published = (await store.all()).flatMap((stored) => {
    if (stored.published === null || stored.plan === null) return [];
    const plan = payoutPlan.parse(JSON.parse(stored.plan.json));
    return [{ ...stored, ...stored.plan, plan, publishedAt: stored.published.at }];
  });
  const batches = await transactions.batches();
  const payable = published.map(({ id, plan, withdrawn }) => ({
    ...plan,
    withdrawnAt: withdrawn?.at ?? null,
    batches: batches.get(id) ?? [],
  }));
  const checkpoints = payable.map(({ snapshot }) => BigInt(snapshot.checkpoint));
  const [first] = checkpoints.toSorted((one, other) => (one < other ? -1 : 1));
  const coinTypes = [...new Set(payable.map(({ coin }) => coin.type))];
  const results = reconcile(payable, first === undefined ? [] : await ledger.sentSince(first, coinTypes));
  return published
    .toReversed()
    .toSorted((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
    .flatMap((each) => {
      const result = results.get(each.id);
      return result === undefined
        ? []
        : [{ json: each.json, plan: each.plan, result, summary: summaryOf({ ...each, result }) }];
    });
}

/** What the ledger shows about payouts: which transactions belong to one, and the news. */
export function createPayoutFacts(cache: PayoutCache): PayoutFacts {
  let payoutOfDigest = digestsOf(cache.published());
  cache.onChange(() => (payoutOfDigest = digestsOf(cache.published())));
  return {
    payoutOf: (digest) => payoutOfDigest.get(digest) ?? null,
    digests: () => [...payoutOfDigest.keys()],
    news: () => cache.published().flatMap(newsOf),
    onChange: (run) => cache.onChange(run),
  };
}

/** With those to addresses that have no line. */
export const paymentsOf = ({ result: { lines, strays } }: PublishedPayout) => [
  ...lines.flatMap(({ payments }) => payments),
  ...strays,
];

/** A swap or the like that also paid a line is still shown as what it was. */
const digestsOf = (payouts: readonly PublishedPayout[]): ReadonlyMap<string, number> =>
  new Map(
    payouts.flatMap((payout) =>
      paymentsOf(payout).flatMap(({ digest, isTransfer }) =>
        isTransfer ? [[digest, payout.summary.id] as const] : [],
      ),
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
  // The first payment of each line: later ones do not change when nothing was left to pay.
  const lastPaidAt = Math.max(...payout.result.lines.map(({ payments: [first] }) => first?.at.getTime() ?? 0));
  return [
    news('published', publishedAt, 'Payout published'),
    ...(withdrawn === null ? [] : [news('withdrawn', withdrawn.at, 'Payout withdrawn')]),
    ...(state === 'paid'
      ? [news('paid', new Date(lastPaidAt).toISOString(), 'Payout paid', paidText(payout.summary))]
      : []),
  ];
}

interface ReceiptSettings {
  readonly explorerUrl: string;
  readonly collectionType: string;
}

/** What each rock and each address has received, newest first. */
export function createReceipts(cache: PayoutCache, settings: ReceiptSettings): ReceiptSource {
  let receipts = findReceipts(cache.published(), settings);
  cache.onChange(() => (receipts = findReceipts(cache.published(), settings)));
  return {
    ofRock: (number) => receipts.byRock.get(number) ?? [],
    ofAddress: (address) => receipts.byAddress.get(address) ?? [],
  };
}

function findReceipts(payouts: readonly PublishedPayout[], { explorerUrl, collectionType }: ReceiptSettings) {
  const all = payouts.flatMap((payout) => receiptsOf(payout, explorerUrl));
  // A former collection of the same treasury has rocks of the same numbers.
  const ofRocks = all
    .filter(({ collection }) => collection === collectionType)
    .flatMap(({ rocks, shareRaw, receipt }) =>
      rocks.map((rock) => ({ key: rock, receipt: { ...receipt, raw: shareRaw } })),
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

/** Each payment with the rocks it was for; without rocks if it is not as planned: nobody can say how much was for which rock. */
function receiptsOf({ plan, result }: PublishedPayout, explorerUrl: string) {
  const { payout, title, collection, coin, shareRaw, lines } = plan;
  const receiptOf = ({ at, address, raw, digest }: Payment, rocks: readonly number[]) => ({
    rocks,
    collection,
    shareRaw,
    receipt: {
      payout,
      title,
      at: at.toISOString(),
      address,
      coin,
      raw: String(raw),
      digest,
      explorerUrl: transactionLink(explorerUrl, digest),
    },
  });
  const ofLines = lines.flatMap((line, index) =>
    (result.lines[index]?.payments ?? []).map((payment) =>
      receiptOf(payment, isPlanned(payment, line) ? line.rocks : []),
    ),
  );
  return [...ofLines, ...result.strays.map((payment) => receiptOf(payment, []))];
}
