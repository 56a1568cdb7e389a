import { valueMicroUsd } from '../../shared/money.ts';
import { countablePrice } from './token-valuation.ts';
import type { PriceQuote } from './reading.ts';
import { isImpersonator } from './known-coins.ts';
import type { Statement } from './statement-check.ts';

/**
 * Makes statements (docs/decisions/0037). Amounts are decimal strings in base units, prices 1e-12 USD for one whole coin, values 1e-6 USD;
 * null: unknown.
 */
type StatementCoin = Statement['coins'][number];

export interface StatementFacts extends Pick<
  Statement,
  'network' | 'treasuryAddress' | 'month' | 'entries' | 'unaskedTransactions'
> {
  /** The statement of the month before; null: this is the first. */
  readonly before: { readonly sha256: string; readonly coins: Statement['coins'] } | null;
  readonly formatOf: (coinType: string) => Pick<StatementCoin, 'symbol' | 'decimals'>;
  /** The source's price at the end of the month. */
  readonly priceOf: (coinType: string) => PriceQuote | null;
  /** Amounts of a coin that no statement lists: all until the end of the month, if none has the coin yet, and those of the month alone. */
  readonly unsolicitedOf: (coinType: string) => { readonly everRaw: bigint; readonly ofMonthRaw: bigint };
}

/** The coins that a statement has sums of, sorted by type. */
export const coinTypesOf = ({ before, entries }: Pick<StatementFacts, 'before' | 'entries'>): readonly string[] => {
  const moved = entries.flatMap(({ changes }) => changes.map(({ coinType }) => coinType));
  const known = (before?.coins ?? []).map(({ coinType }) => coinType);
  return [...new Set([...known, ...moved])].sort();
};

export function makeStatement(facts: StatementFacts): Statement {
  const { network, treasuryAddress, month, before, entries, unaskedTransactions } = facts;
  const coins = coinTypesOf(facts).map((coinType) => coinOf(coinType, facts));
  const totals = {
    closingMicroUsd: String(sumOf(coins.map(({ valueMicroUsd: value }) => BigInt(value ?? 0)))),
    unpricedCoins: coins.filter(({ closingRaw, valueMicroUsd: value }) => closingRaw !== '0' && value === null).length,
    gasMist: String(sumOf(entries.map(({ gasMist }) => BigInt(gasMist)))),
  };
  const of = { version: 1, rulesVersion: 2, network, treasuryAddress, month } as const;
  return { ...of, previousSha256: before?.sha256 ?? null, coins, entries, unaskedTransactions, totals };
}

function coinOf(
  coinType: string,
  { before, entries, formatOf, priceOf, unsolicitedOf }: StatementFacts,
): StatementCoin {
  const earlier = before?.coins.find((coin) => coin.coinType === coinType);
  const openingRaw = BigInt(earlier?.closingRaw ?? 0);
  const { everRaw, ofMonthRaw } = unsolicitedOf(coinType);
  const unaskedRaw = earlier === undefined ? everRaw : ofMonthRaw;
  const raws = entries.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.coinType === coinType ? [BigInt(change.raw)] : [])),
  );
  const inRaw = sumOf(raws.filter((raw) => raw > 0n));
  const outRaw = -sumOf(raws.filter((raw) => raw < 0n));
  const closingRaw = openingRaw + unaskedRaw + inRaw - outRaw;
  const format = formatOf(coinType);
  const price = priceThatCounts(coinType, format, priceOf(coinType));
  return {
    coinType,
    ...format,
    openingRaw: String(openingRaw),
    unaskedRaw: String(unaskedRaw),
    inRaw: String(inRaw),
    outRaw: String(outRaw),
    closingRaw: String(closingRaw),
    pricePicoUsd: price?.pricePicoUsd.toString() ?? null,
    priceAt: price?.asOf.toISOString() ?? null,
    priceSource: price?.source ?? null,
    valueMicroUsd:
      price === null || format.decimals === null
        ? null
        : String(valueMicroUsd(closingRaw, format.decimals, price.pricePicoUsd)),
  };
}

/** Rulings R3: as in the treasury's total, no price counts for an impersonator, and no price of low confidence. */
function priceThatCounts(
  coinType: string,
  { symbol, decimals }: Pick<StatementCoin, 'symbol' | 'decimals'>,
  quote: PriceQuote | null,
): PriceQuote | null {
  if (quote === null || decimals === null) return null;
  if (isImpersonator(coinType, symbol ?? '')) return null;
  return countablePrice({ quote, readAt: quote.asOf })?.quote ?? null;
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
