import { z } from 'zod';
import { defineRoute, type Route, type RouteAnswer } from '../http/route.ts';
import { csvLine } from '../shared/csv.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { toDecimalText } from '../shared/money.ts';
import { parsed, wholeNumber } from '../shared/parsed-text.ts';
import { canonicalWallet } from '../shared/sui-address.ts';
import type { LineResult, Payment } from './core/reconcile.ts';
import type { PayoutCache, PublishedPayout } from './payout-cache.ts';
import type { PayoutDeps } from './payout-deps.ts';
import {
  payoutAnswer,
  type PayoutAnswer,
  type PayoutLine,
  payoutPageSize,
  payoutsAnswer,
  type PayoutsAnswer,
  type PayoutSummary,
} from './payouts-contract.ts';
import { transactionLink } from '../shared/explorer-links.ts';
import { isEachRockPaid } from './core/payout-summary.ts';
import { pageMax } from './web/payout-addresses.ts';

/** In the path of a call. */
export const payoutId = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'The number of a payout is a whole number, 1 or more.')
  .transform(Number);

const rockMax = 1_000_000;
const idParams = z.strictObject({ id: payoutId });
const payoutQuery = z.strictObject({
  page: parsed(`page must be a whole number from 1 to ${pageMax}.`, wholeNumber(pageMax)).default(1),
  rock: parsed('rock must be the number of a rock.', wholeNumber(rockMax)).optional(),
  address: parsed('address must be 0x and 64 hexadecimal digits.', canonicalWallet).optional(),
});

/** Rulings R9: the published payouts and their state on chain, answered from memory. */
export const payoutRoutes = (deps: PayoutDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/payouts',
    access: 'public',
    summary: 'Every published payout to the holders of rocks, newest first, with its state on chain',
    answer: payoutsAnswer,
    handle: () => ({ data: allAnswer(deps) ?? refuseUnread() }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/payouts/{id}',
    access: 'public',
    summary: 'A payout with its lines, 100 a page, or only those of one rock or address',
    params: idParams,
    query: payoutQuery,
    answer: payoutAnswer,
    handle: ({ params: { id }, query }) => {
      const data = oneAnswer(deps, id, query);
      if (data === null) throw noSuchPayout(deps.cache, id);
      return { data };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/payouts/{id}/plan.json',
    access: 'public',
    summary: 'The plan of a payout as canonical JSON, byte for byte as it was published',
    params: idParams,
    answer: 'raw',
    handle: ({ params: { id } }) => planAnswer(id, found(deps.cache, id)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/payouts/{id}/lines.csv',
    access: 'public',
    summary: 'Every line of a payout as a CSV file: address, rocks, amount, state, transaction and its checkpoint',
    params: idParams,
    answer: 'raw',
    handle: ({ params: { id } }) => ({
      status: 200,
      download: {
        fileName: `sui-rocks-payout-${id}.csv`,
        contentType: 'text/csv; charset=utf-8',
        parts: csv(found(deps.cache, id), deps.cache.asOf()),
      },
    }),
  }),
];

function found(cache: PayoutCache, id: number): PublishedPayout {
  const payout = cache.find(id);
  if (payout === undefined) throw noSuchPayout(cache, id);
  return payout;
}

const noSuchPayout = (cache: PayoutCache, id: number): Refused =>
  cache.problems() === null ? refuseUnread() : new Refused('not-found', `There is no payout ${id}.`);

function refuseUnread(): never {
  throw new Unavailable('payouts-not-read', 'The payouts were not read yet', undefined, 5_000);
}

const lineColumns = ['address', 'rocks', 'raw', 'amount', 'coin', 'state'];
const paymentColumns = ['paid_to', 'paid_raw', 'paid_at', 'digest', 'checkpoint'];
const noPayment = paymentColumns.map(() => '');

/** A row for each payment of a line; an open line has one row without a payment. `asOf` null: no line is known to be open. */
async function* csv({ plan, result }: PublishedPayout, asOf: string | null): AsyncGenerator<string> {
  yield `${csvLine([...lineColumns, ...paymentColumns])}\r\n`;
  for (const [index, line] of plan.lines.entries()) {
    const { state = 'open', payments = [] } = result.lines[index] ?? {};
    yield csvLines(plan.coin, { ...line, payments, state: state === 'open' && asOf === null ? '' : state });
  }
}

type CsvLine = PayoutLine & Pick<LineResult, 'payments'> & { readonly state: string };

function csvLines({ symbol, decimals }: PublishedPayout['plan']['coin'], line: CsvLine): string {
  const { address, rocks: numbers, raw, state } = line;
  const head = [address, numbers.join(' '), raw, toDecimalText(BigInt(raw), decimals), symbol, state];
  const rows = line.payments.map((payment) => [
    payment.address,
    String(payment.raw),
    payment.at.toISOString(),
    payment.digest,
    String(payment.checkpoint),
  ]);
  if (rows.length === 0) rows.push(noPayment);
  return rows.map((row) => `${csvLine([...head, ...row])}\r\n`).join('');
}

/** Byte for byte, because the hash is of these bytes. */
export const planAnswer = (id: number, { json }: { readonly json: string }): RouteAnswer => ({
  status: 200,
  download: {
    fileName: `sui-rocks-payout-${id}.json`,
    contentType: 'application/json; charset=utf-8',
    parts: [json],
  },
});

/** Which lines: those of one rock or one address, or a page of all. */
interface LineFilter {
  readonly rock?: number | undefined;
  readonly address?: string | undefined;
  readonly page: number;
}

/** null: the payouts were never read. */
export function allAnswer({ cache }: PayoutDeps): PayoutsAnswer | null {
  if (cache.problems() === null) return null;
  const payouts = cache.published().map(({ summary }) => summary);
  return {
    asOf: cache.asOf(),
    payouts,
    perRock: sumsOf(payouts.filter(isEachRockPaid), ({ shareRaw }) => shareRaw),
    distributed: sumsOf(payouts, ({ paidRaw }) => paidRaw),
  };
}

/** By coin; a coin whose sum is 0 is left out. */
function sumsOf(payouts: readonly PayoutSummary[], rawOf: (payout: PayoutSummary) => string) {
  return [...Map.groupBy(payouts, ({ coin }) => coin.type).values()].flatMap((ofCoin) => {
    const sum = ofCoin.reduce((total, payout) => total + BigInt(rawOf(payout)), 0n);
    const [first] = ofCoin;
    return first === undefined || sum === 0n ? [] : [{ coin: first.coin, raw: String(sum) }];
  });
}

/** null: no such payout is published. */
export function oneAnswer(
  { cache, rocks, settings: { explorerUrl } }: PayoutDeps,
  id: number,
  { rock, address, page }: LineFilter,
): PayoutAnswer | null {
  const payout = cache.find(id);
  if (payout === undefined) return null;
  const { plan, result, summary } = payout;
  const rows = plan.lines.map((line, index) => ({ line, result: result.lines[index] }));
  const wanted = rows.filter(
    ({ line }) =>
      (rock === undefined || line.rocks.includes(rock)) && (address === undefined || line.address === address),
  );
  const start = (page - 1) * payoutPageSize;
  const payment = ({ digest, checkpoint, at, address: to, raw }: Payment) => ({
    digest,
    checkpoint: String(checkpoint),
    at: at.toISOString(),
    address: to,
    raw: String(raw),
    explorerUrl: transactionLink(explorerUrl, digest),
  });
  return {
    ...summary,
    asOf: cache.asOf(),
    leftOut: plan.leftOut,
    total: wanted.length,
    page,
    pageSize: payoutPageSize,
    found: wanted.slice(start, start + payoutPageSize).map(({ line, result: ofLine }) => ({
      ...line,
      name: rocks.catalog.nameOf(line.address),
      state: ofLine?.state ?? 'open',
      payments: (ofLine?.payments ?? []).map(payment),
    })),
    strays: result.strays.map(payment),
  };
}
