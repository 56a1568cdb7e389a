import { sql } from 'kysely';

import { anyOf } from '../../db/expressions.ts';
import type { JobDefinition } from '../../jobs/jobs.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { type CoinDay, endOf } from '../core/ledger-days.ts';
import { priceAt } from '../core/price-at.ts';
import type { PriceQuote } from '../core/reading.ts';
import { isCountable } from '../core/token-valuation.ts';
import type { LedgerParts } from './ledger-parts.ts';
import { createLedgerPast } from './ledger-past.ts';

type PriceParts = Pick<LedgerParts, 'treasuryKey' | 'database' | 'store' | 'pastPrices' | 'treasury' | 'clock'>;

const everyMs = 60_000;
const longestRetryMs = 300_000;
/** How much of the past one run prices: about ten calls for five coins. */
const spanMs = 40 * 86_400_000;
const rowsAtOnceMax = 5_000;

interface Unpriced {
  readonly digest: string;
  readonly coinType: string;
  readonly happenedAt: Date;
}

export const ledgerPricing = { name: 'treasury-ledger-prices' };

/**
 * Rulings R8: the price of each movement at its time, from the source's history; that it has none is stored too. SUI is requested every
 * time: without it, a failed answer would look like coins without a price.
 */
export const priceJob = (parts: PriceParts): JobDefinition<object> => ({
  ...ledgerPricing,
  everyMs,
  longestRetryMs,
  failing: 'The movements of the treasury could not be priced',
  run: async (_payload, stop) => {
    const { pastPrices, treasury, clock } = parts;
    const unpriced = await readUnpriced(parts);
    const [first] = unpriced;
    if (first === undefined) return undefined;
    const endMs = Math.min(first.happenedAt.getTime() + spanMs, clock.now().getTime());
    const due = unpriced.filter(({ happenedAt }) => happenedAt.getTime() <= endMs);
    const last = due.at(-1);
    // The clock of this machine may be behind the chain's: the rest waits for the next run.
    if (last === undefined) return undefined;
    const coinTypes = [...new Set([suiCoinType, ...due.map(({ coinType }) => coinType)])];
    const range = { from: first.happenedAt, to: last.happenedAt, every: 'hour' as const };
    const prices = await pastPrices.readPastPrices(coinTypes, range, stop);
    // A source without past prices may have today's.
    const pricesNow = treasury.reading()?.prices;
    const quotesOf = ({ coinType }: Unpriced): readonly PriceQuote[] =>
      prices.get(coinType) ?? [pricesNow?.get(coinType)?.quote].filter((quote) => quote !== undefined);
    await savePrices(
      parts,
      due.map((row) => ({ ...row, quote: countable(priceAt(quotesOf(row), row.happenedAt, 'hour')) })),
    );
    return unpriced.length > due.length || unpriced.length === rowsAtOnceMax ? { againInMs: 0 } : undefined;
  },
});

/** Oldest first. Unknown coins, which anyone can send, are not priced. */
async function readUnpriced({ treasuryKey, database, store }: PriceParts): Promise<readonly Unpriced[]> {
  const known = (await store.sums()).flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : []));
  return database
    .selectFrom('ledgerChanges')
    .where((row) => row.and({ ...treasuryKey, isPriced: false }))
    .where('coinType', '=', anyOf(known, 'text'))
    .orderBy('happenedAt')
    .limit(rowsAtOnceMax)
    .select(['digest', 'coinType', 'happenedAt'])
    .execute();
}

async function savePrices(
  { treasuryKey, database }: PriceParts,
  rows: readonly (Unpriced & { readonly quote: PriceQuote | null })[],
): Promise<void> {
  const { network, treasuryAddress } = treasuryKey;
  const prices = rows.map(({ quote }) => quote?.pricePicoUsd.toString() ?? null);
  const times = rows.map(({ quote }) => quote?.asOf ?? null);
  const sources = rows.map(({ quote }) => quote?.source ?? null);
  await sql`
    update ledger_changes change
    set price_pico_usd = priced.price, price_at = priced.at, price_source = priced.source, is_priced = true
    from unnest(${rows.map(({ digest }) => digest)}::text[], ${rows.map(({ coinType }) => coinType)}::text[],
      ${prices}::numeric[], ${times}::timestamptz[], ${sources}::text[]) as priced (digest, coin_type, price, at, source)
    where change.network = ${network} and change.treasury_address = ${treasuryAddress}
      and change.digest = priced.digest and change.coin_type = priced.coin_type`.execute(database);
}

export const dayPricing = { name: 'treasury-day-prices' };

/** How many days one run values: two calls for ten coins. */
const daysAtOnce = 100;

/** Rulings R8: the price of each coin at the end of each day on which it was held; that the source has none is stored too. */
export function dayPriceJob(
  parts: Pick<LedgerParts, 'treasuryKey' | 'database' | 'pastPrices' | 'publish' | 'clock'>,
): JobDefinition<object> {
  const { pastPrices, publish } = parts;
  // Which prices are missing depends neither on what is valued nor on what is counted.
  const past = createLedgerPast({ ...parts, isValued: () => true, countedNow: () => [] });
  return {
    ...dayPricing,
    everyMs,
    longestRetryMs,
    failing: 'The prices of past days could not be read',
    run: async (_payload, stop) => {
      const { unrequested } = await past.load();
      const firstDay = unrequested[0]?.day;
      if (firstDay === undefined) return undefined;
      const due = unrequested.filter(({ day }) => day < firstDay + daysAtOnce);
      const coinTypes = [...new Set([suiCoinType, ...due.map(({ coinType }) => coinType)])];
      const lastDay = due.at(-1)?.day ?? firstDay;
      const range = { from: endOf(firstDay), to: endOf(lastDay), every: 'day' as const };
      const found = await pastPrices.readPastPrices(coinTypes, range, stop);
      await past.savePrices(due.map((each) => ({ ...each, quote: quoteOf(each, found) })));
      await publish();
      return unrequested.length > due.length ? { againInMs: 0 } : undefined;
    },
  };
}

const quoteOf = ({ coinType, day }: CoinDay, found: ReadonlyMap<string, readonly PriceQuote[]>): PriceQuote | null =>
  countable(priceAt(found.get(coinType) ?? [], endOf(day), 'day'));

/** Rulings R3: a price that its own source doubts does not count. */
const countable = (quote: PriceQuote | null): PriceQuote | null =>
  quote !== null && isCountable(quote) ? quote : null;
