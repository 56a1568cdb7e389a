import { accountLink, coinLink } from '../../shared/explorer-links.ts';
import { microUsdDecimals, mistDecimals, picoUsdDecimals, toNumber, valueMicroUsd } from '../../shared/money.ts';
import { isUsableType, stakedSuiType, suiCoinType, usableTypeLengthMax } from '../../shared/sui-address.ts';
import type { FigureState, TokenHolding, UncountedReason, UncountedToken } from '../contract.ts';
import { stateAt, worstState } from './figure-state.ts';
import type {
  CoinBalance,
  CoinMetadata,
  PriceQuote,
  ReadPrice,
  TreasuryReading,
  ValuationSettings,
} from './reading.ts';
import { uncountedListMax } from './uncounted-list.ts';
import { isImpersonator } from './known-coins.ts';

/** Rulings R3: a price below this confidence is never counted. A source without confidence counts, as an estimate. */
const confidenceMin = 0.9;

/**
 * A price that its source itself dates older than this is stale, however recently it was read: three of DefiLlama's five-minute
 * intervals.
 */
const quoteAgeMaxMs = 900_000;

interface CountedToken {
  readonly holding: TokenHolding;
  readonly coinType: string;
  /** null: SUI, before any price of it was known. */
  readonly valueMicroUsd: bigint | null;
  readonly price: ReadPrice | null;
}

export interface TokenValuation {
  /** By USD value, descending (specification 2). */
  readonly counted: readonly CountedToken[];
  /** The first `uncountedListMax` of them. */
  readonly uncounted: readonly UncountedToken[];
  readonly uncountedCount: number;
}

/** SUI's own metadata is part of the protocol; its balance is readable even when nothing else answers. */
const suiMetadata: CoinMetadata = {
  coinType: suiCoinType,
  decimals: mistDecimals,
  symbol: 'SUI',
  name: 'Sui',
  iconUrl: null,
};

/** Not a coin, but SUI all the same. Its rewards stay in the validator's pool until it is withdrawn. */
const stakedSuiMetadata: CoinMetadata = {
  ...suiMetadata,
  coinType: stakedSuiType,
  symbol: 'Staked SUI',
  name: 'Principal without rewards',
};

type CoinFacts = Pick<TreasuryReading, 'metadata' | 'prices'>;

/** null: the chain has none; undefined: not read yet. */
function metadataOf(coinType: string, { metadata }: CoinFacts): CoinMetadata | null | undefined {
  const read = metadata.get(coinType);
  return coinType === suiCoinType ? (read ?? suiMetadata) : read;
}

/** Whether a price may be counted (rulings R3). */
export const isCountable = ({ pricePicoUsd, confidence }: PriceQuote): boolean =>
  pricePicoUsd > 0n && (confidence === null || confidence >= confidenceMin);

/** A price that may be counted, or null. */
export const countablePrice = (price: ReadPrice | undefined): ReadPrice | null =>
  price !== undefined && isCountable(price.quote) ? price : null;

type Verdict =
  | { readonly kind: 'counted'; readonly metadata: CoinMetadata }
  | { readonly kind: 'uncounted'; readonly reason: UncountedReason; readonly metadata: CoinMetadata | null };

/** Rulings R3: whether a coin counts; if not, the most telling reason. */
function judge(coinType: string, reading: CoinFacts): Verdict {
  const metadata = metadataOf(coinType, reading);
  const price = reading.prices.get(coinType);
  const uncounted = (reason: UncountedReason): Verdict => ({ kind: 'uncounted', reason, metadata: metadata ?? null });
  if (metadata === null) return uncounted('no-metadata');
  if (metadata !== undefined && isImpersonator(coinType, metadata.symbol)) return uncounted('impersonator');
  // SUI counts even before any price of it is known.
  if (coinType !== suiCoinType && countablePrice(price) === null) {
    return uncounted(price === undefined || price.quote.pricePicoUsd <= 0n ? 'unpriced' : 'low-confidence');
  }
  return metadata === undefined ? uncounted('no-metadata') : { kind: 'counted', metadata };
}

/** The coins that are held and counted in the total now; none before the first reading. */
export const countedCoins = (reading: (CoinFacts & Pick<TreasuryReading, 'balances'>) | null): readonly string[] =>
  reading === null
    ? []
    : reading.balances
        .filter(({ coinType, rawBalance }) => rawBalance > 0n && judge(coinType, reading).kind === 'counted')
        .map(({ coinType }) => coinType);

/** The state of one price now; used by token rows and by the SUI price itself. */
export const priceState = (price: ReadPrice | null, refreshMs: number, now: Date): FigureState => {
  if (price === null) return 'unavailable';
  if (now.getTime() - price.quote.asOf.getTime() > quoteAgeMaxMs) return 'stale';
  return stateAt({ asOf: price.readAt, refreshMs, estimated: price.quote.confidence === null }, now);
};

/** What all rows of one valuation have in common. */
interface Valuing {
  readonly reading: TreasuryReading;
  readonly settings: ValuationSettings;
  readonly now: Date;
}

const countedToken = (
  { coinType, rawBalance }: CoinBalance,
  metadata: CoinMetadata,
  price: ReadPrice | null,
  { reading, settings, now }: Valuing,
): CountedToken => {
  const { refreshMs, explorerUrl } = settings;
  const value = price === null ? null : valueMicroUsd(rawBalance, metadata.decimals, price.quote.pricePicoUsd);
  const chainState = stateAt({ asOf: reading.chainReadAt, refreshMs }, now);
  return {
    coinType,
    valueMicroUsd: value,
    price,
    holding: {
      symbol: metadata.symbol,
      name: metadata.name,
      coinType,
      humanBalance: toNumber(rawBalance, metadata.decimals),
      usdValue: value === null ? null : toNumber(value, microUsdDecimals),
      price: price === null ? null : toNumber(price.quote.pricePicoUsd, picoUsdDecimals),
      priceSource: price?.quote.source ?? 'no price yet',
      priceAsOf: price?.quote.asOf.toISOString() ?? null,
      rawBalance: rawBalance.toString(),
      decimals: metadata.decimals,
      iconUrl: metadata.iconUrl,
      explorerUrl: coinLink(explorerUrl, coinType),
      state: worstState([chainState, priceState(price, refreshMs, now)]),
    },
  };
};

/** Valued at the price of SUI (rulings R3: everything in the public wallet). Linked to the wallet, because explorers know no such coin. */
const stakedSui = (rawBalance: bigint, valuing: Valuing): CountedToken => {
  const { explorerUrl, treasuryAddress } = valuing.settings;
  const price = countablePrice(valuing.reading.prices.get(suiCoinType));
  const token = countedToken({ coinType: stakedSuiType, rawBalance }, stakedSuiMetadata, price, valuing);
  return { ...token, holding: { ...token.holding, explorerUrl: accountLink(explorerUrl, treasuryAddress) } };
};

/** Absurdly nested types are cut so that they do not bloat the answer. */
const shownType = (coinType: string): string =>
  isUsableType(coinType) ? coinType : `${coinType.slice(0, usableTypeLengthMax)}…`;

type UncountedBalance = Extract<Verdict, { kind: 'uncounted' }> & { readonly balance: CoinBalance };

const uncountedToken = ({ balance, metadata, reason }: UncountedBalance, explorerUrl: string): UncountedToken => {
  const decimals = metadata?.decimals ?? null;
  return {
    symbol: metadata?.symbol ?? null,
    name: metadata?.name ?? null,
    coinType: shownType(balance.coinType),
    rawBalance: balance.rawBalance.toString(),
    decimals,
    humanBalance: decimals === null ? null : toNumber(balance.rawBalance, decimals),
    reason,
    explorerUrl: coinLink(explorerUrl, shownType(balance.coinType)),
  };
};

/** Tokens that could be mistaken for others come first: readers look for those, and the list may be cut short. */
const reasonsInOrder: readonly UncountedReason[] = ['impersonator', 'low-confidence', 'unpriced', 'no-metadata'];

const byReason = (left: UncountedBalance, right: UncountedBalance): number =>
  reasonsInOrder.indexOf(left.reason) - reasonsInOrder.indexOf(right.reason) ||
  byText(left.balance.coinType, right.balance.coinType);

const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const byValueDescending = (left: CountedToken, right: CountedToken): number => {
  const leftMicroUsd = left.valueMicroUsd ?? -1n;
  const rightMicroUsd = right.valueMicroUsd ?? -1n;
  if (leftMicroUsd === rightMicroUsd) return byText(left.coinType, right.coinType);
  return leftMicroUsd > rightMicroUsd ? -1 : 1;
};

/** Rulings R3: which tokens count and for how much, and which do not count and why. Empty balances are left out. */
export const valueTokens = (reading: TreasuryReading, settings: ValuationSettings, now: Date): TokenValuation => {
  const valuing = { reading, settings, now };
  const stakedMist = reading.stakedMist ?? 0n;
  const counted: CountedToken[] = stakedMist === 0n ? [] : [stakedSui(stakedMist, valuing)];
  const uncounted: UncountedBalance[] = [];
  for (const balance of reading.balances) {
    if (balance.rawBalance <= 0n) continue;
    const verdict = judge(balance.coinType, reading);
    if (verdict.kind === 'uncounted') {
      uncounted.push({ balance, ...verdict });
    } else {
      const price = countablePrice(reading.prices.get(balance.coinType));
      counted.push(countedToken(balance, verdict.metadata, price, valuing));
    }
  }
  return {
    counted: counted.sort(byValueDescending),
    uncounted: uncounted
      .sort(byReason)
      .slice(0, uncountedListMax)
      .map((each) => uncountedToken(each, settings.explorerUrl)),
    uncountedCount: uncounted.length,
  };
};
