import { z } from 'zod';

import { defineRoute, type Route } from '../http/route.ts';
import { csvLine } from '../shared/csv.ts';
import { Refused, Unavailable } from '../shared/failure.ts';
import { toDecimalText } from '../shared/money.ts';
import { canonicalWallet } from '../shared/sui-address.ts';
import type { LineResult } from './core/reconcile.ts';
import type { PayoutAnswers } from './payout-answers.ts';
import type { PayoutBook, PublishedPayout } from './payout-book.ts';
import { payoutAnswer, payoutId, type PayoutLine, payoutsAnswer } from './payouts-contract.ts';

export interface PayoutRoutesDeps {
  readonly book: PayoutBook;
  readonly answers: PayoutAnswers;
}

const pageMax = 10_000;
const rockMax = 1_000_000;
const sentence = (error: string) => ({ error: () => error });
const idParams = z.strictObject({ id: payoutId });
const page = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, sentence(`page must be a whole number from 1 to ${pageMax}.`))
  .transform(Number)
  .refine((number) => number <= pageMax, sentence(`page must be a whole number from 1 to ${pageMax}.`))
  .default(1);
const rock = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, sentence('rock must be the number of a rock.'))
  .transform(Number)
  .refine((number) => number <= rockMax, sentence('rock must be the number of a rock.'));
const address = z
  .string()
  .refine((text) => canonicalWallet(text) !== null, sentence('address must be 0x and 64 hexadecimal digits.'))
  .transform((text) => canonicalWallet(text) ?? text);
const payoutQuery = z.strictObject({ page, rock: rock.optional(), address: address.optional() });

/** Rulings R9: what was promised and what became of it, answered from memory. */
export const payoutRoutes = (deps: PayoutRoutesDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/payouts',
    access: 'public',
    summary: 'Every published payout to the holders of rocks, newest first, with its state on chain',
    answer: payoutsAnswer,
    handle: () => ({ status: 200, body: deps.answers.all() ?? refuseUnread() }),
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
      const body = deps.answers.one(id, query);
      if (body === null) throw noSuchPayout(deps.book, id);
      return { status: 200, body };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/payouts/{id}/plan.json',
    access: 'public',
    summary: 'The plan of a payout as canonical JSON, to the byte as it was published',
    params: idParams,
    answer: 'raw',
    handle: ({ params: { id } }) => ({
      status: 200,
      download: {
        fileName: `sui-rocks-payout-${id}.json`,
        contentType: 'application/json; charset=utf-8',
        parts: once(found(deps.book, id).kept.plan?.json ?? ''),
      },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/payouts/{id}/lines.csv',
    access: 'public',
    summary: 'Every line of a payout as a CSV file: address, rocks, amount, state, transaction',
    cost: 'on-demand',
    params: idParams,
    answer: 'raw',
    handle: ({ params: { id } }) => ({
      status: 200,
      download: {
        fileName: `sui-rocks-payout-${id}.csv`,
        contentType: 'text/csv; charset=utf-8',
        parts: csv(found(deps.book, id)),
      },
    }),
  }),
];

function found(book: PayoutBook, id: number): PublishedPayout {
  const payout = book.find(id);
  if (payout === undefined) throw noSuchPayout(book, id);
  return payout;
}

const noSuchPayout = (book: PayoutBook, id: number): Refused =>
  book.problems() === null ? refuseUnread() : new Refused('not-found', `There is no payout ${id}.`);

function refuseUnread(): never {
  throw new Unavailable('payouts-not-read', 'The payouts were not read yet', undefined, 5_000);
}

const columns = ['address', 'rocks', 'raw', 'amount', 'coin', 'state', 'paid_to', 'paid_raw', 'paid_at', 'digest'];

/** A line for each payment; one that is open has none. */
async function* csv({ plan, result }: PublishedPayout): AsyncGenerator<string> {
  yield `${csvLine(columns)}\r\n`;
  for (const [index, line] of plan.lines.entries()) yield csvLines(plan.coin, line, result.lines[index]);
}

function csvLines(coin: PublishedPayout['plan']['coin'], line: PayoutLine, became: LineResult | undefined): string {
  const amount = toDecimalText(BigInt(line.raw), coin.decimals);
  const head = [line.address, line.rocks.join(' '), line.raw, amount, coin.symbol, became?.state ?? 'open'];
  const payments = became?.payments ?? [];
  if (payments.length === 0) return `${csvLine([...head, '', '', '', ''])}\r\n`;
  return payments
    .map(({ address: to, raw, at, digest }) => `${csvLine([...head, to, String(raw), at.toISOString(), digest])}\r\n`)
    .join('');
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
