import { createHash } from 'node:crypto';

import { z } from 'zod';

import type { JobDefinition } from '../../jobs/jobs.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { monthAfter, monthOf, monthStart } from '../../shared/utc-month.ts';
import { priceAt } from '../core/price-at.ts';
import { coinTypesOf, makeStatement, type Statement, type StatementFacts } from '../core/statement.ts';
import type { LedgerParts } from '../ledger/ledger-parts.ts';
import type { LedgerProgress } from '../ledger/ledger-store.ts';
import type { MonthSpan, StatementStore } from './statement-store.ts';

export interface StatementParts extends Pick<
  LedgerParts,
  'treasuryKey' | 'store' | 'queries' | 'metadata' | 'pastPrices' | 'publish'
> {
  readonly statements: StatementStore;
}

/** A run reads two short rows, and nothing more if no statement is due. */
const everyMs = 60_000;
const longestRetryMs = 300_000;
const hourMs = 3_600_000;
/** A price counts from at most six hours before the end of the month, and never from after it. */
const priceWithinMs = 6 * hourMs;

/** Makes the statement of every month that is over, oldest first. A statement is made once and never again (docs/decisions/0037). */
export const statementJob = (parts: StatementParts): JobDefinition<object> => ({
  name: 'treasury-statements',
  payload: z.object({}),
  repeats: { payload: {}, everyMs },
  longestRetryMs,
  failing: 'The statements of the treasury could not be made',
  run: async (_payload, stop) => {
    const { statements, store, publish } = parts;
    const progress = await store.progress();
    let hasMade = false;
    for (let next = await nextToMake(parts, progress); next !== null; next = await nextToMake(parts, progress)) {
      const statement = makeStatement(await factsOf(parts, next, stop));
      const body = canonicalJson(statement);
      const { month, entries, totals } = statement;
      const { closingMicroUsd, unpricedCoins } = totals;
      const sha256 = createHash('sha256').update(body).digest('hex');
      const made = { month, sha256, body, entries: entries.length, closingMicroUsd, unpricedCoins };
      await statements.save(made);
      hasMade = true;
      stop.throwIfAborted();
    }
    if (hasMade) await publish();
  },
});

interface ToMake extends MonthSpan {
  readonly month: string;
  readonly before: StatementFacts['before'];
}

/** null: no statement is due. The ledger must be known from its beginning and read to an hour past the month, by the chain's own time. */
async function nextToMake(
  { statements, queries }: StatementParts,
  { isComplete, knownSinceCheckpoint, coveredAt }: LedgerProgress,
): Promise<ToMake | null> {
  if (!isComplete || knownSinceCheckpoint !== null || coveredAt === null) return null;
  const last = await statements.last();
  const month = last === undefined ? await firstMonth(queries) : monthAfter(last.month);
  if (month === null) return null;
  const span = { from: monthStart(month), until: monthStart(monthAfter(month)) };
  if (coveredAt.getTime() < span.until.getTime() + hourMs) return null;
  if (!(await statements.isPricedUntil(span.until))) return null;
  if (last === undefined) return { ...span, month, before: null };
  const body = await statements.body(last.month);
  // The ledger was deleted in the meantime.
  if (body === undefined) return null;
  // Written by this job, so it has this form.
  return { ...span, month, before: { sha256: last.sha256, coins: (JSON.parse(body) as Statement).coins } };
}

/** null: nothing has moved yet. */
async function firstMonth(queries: StatementParts['queries']): Promise<string | null> {
  const span = await queries.span();
  return span === null ? null : monthOf(span.first);
}

async function factsOf(parts: StatementParts, { month, before, ...span }: ToMake, stop: AbortSignal) {
  const { treasuryKey, statements, store, metadata, pastPrices } = parts;
  const [entries, unaskedTransactions] = await Promise.all([
    statements.entriesOf(span),
    statements.unaskedTransactions(span),
  ]);
  const coinTypes = coinTypesOf({ before, entries });
  const coins = await metadata.describe(coinTypes, stop);
  const unsolicited = await statements.unsolicitedSums(coinTypes, span);
  // Unknown coins, which anyone can send, are not priced.
  const known = new Set((await store.sums()).flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : [])));
  const range = { from: new Date(span.until.getTime() - priceWithinMs), to: span.until, every: 'hour' as const };
  // SUI is requested every time: without it, a failed answer would look like coins without a price.
  const priced = [...new Set([suiCoinType, ...coinTypes.filter((coinType) => known.has(coinType))])];
  const prices = await pastPrices.readPastPrices(priced, range, stop);
  const facts: StatementFacts = {
    ...treasuryKey,
    month,
    before,
    entries,
    unaskedTransactions,
    formatOf: (coinType) => {
      const { symbol = null, decimals = null } = coins.get(coinType)?.metadata ?? {};
      return { symbol, decimals };
    },
    // The nearest price may be from after the end of the month.
    priceOf: (coinType) =>
      priceAt(
        (prices.get(coinType) ?? []).filter(({ asOf }) => asOf <= span.until),
        span.until,
        'hour',
      ),
    unsolicitedOf: (coinType) => unsolicited.get(coinType) ?? { everRaw: 0n, ofMonthRaw: 0n },
  };
  return facts;
}
