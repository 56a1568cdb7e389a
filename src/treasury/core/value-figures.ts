import type { FigureState, Provenance, TreasurySnapshot } from '../contract.ts';
import { oldest, stateAt, unavailableFigure, worstState } from './figure-state.ts';
import type { NftValuation } from './nft-valuation.ts';
import type { ReadPrice, TreasuryReading, ValuationSettings } from './reading.ts';
import { priceState } from './token-valuation.ts';
import type { TokenValuation } from './token-valuation.ts';

/** One thing that a figure rests on. `asOf` null: it was never read. */
interface Part {
  readonly state: FigureState;
  readonly asOf: Date | null;
  readonly source: string | null;
}

/** What a valuation found; a figure is known when its amount is. */
interface Valued {
  readonly reading: TreasuryReading;
  readonly tokens: TokenValuation;
  readonly nfts: NftValuation;
  readonly suiPrice: ReadPrice | null;
  readonly totals: {
    readonly totalMicroUsd: bigint | null;
    readonly tokenMicroUsd: bigint | null;
    readonly nftMicroUsd: bigint | null;
    readonly nftMist: bigint | null;
    readonly nftBidMist: bigint | null;
  };
  readonly valuePerRock: TreasurySnapshot['valuePerRock'];
}

const noSuiPrice = 'no price of SUI yet';

const unique = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(', ');

/**
 * Rulings R3: the state of the worst part, the time of the oldest, the sources of all. A known figure of which a part was
 * never read is an estimate, and `without` says what is missing in it (decision 0008).
 */
const figureOf = (parts: readonly Part[], without = ''): Provenance => {
  const partly = parts.some((part) => part.state === 'unavailable');
  const readable = parts.map(({ state }): FigureState => (state === 'unavailable' ? 'estimated' : state));
  return {
    state: worstState(readable),
    asOf: oldest(parts.flatMap((part) => part.asOf ?? []))?.toISOString() ?? null,
    source: unique(parts.map((part) => part.source)) + (partly && without !== '' ? ` (without ${without})` : ''),
  };
};

const pricePart = (price: ReadPrice | null, settings: ValuationSettings, now: Date): Part => ({
  state: priceState(price, settings.refreshMs, now),
  asOf: price?.readAt ?? null,
  source: price?.quote.source ?? null,
});

const suiPriceFigure = (price: ReadPrice | null, settings: ValuationSettings, now: Date): Provenance =>
  price === null
    ? unavailableFigure(noSuiPrice)
    : {
        state: priceState(price, settings.refreshMs, now),
        asOf: price.quote.asOf.toISOString(),
        source: price.quote.source,
      };

const marketPart = (fact: { asOf: Date; source: string } | null, settings: ValuationSettings, now: Date): Part =>
  fact === null
    ? { state: 'unavailable', asOf: null, source: null }
    : {
        state: stateAt({ asOf: fact.asOf, refreshMs: settings.marketRefreshMs }, now),
        asOf: fact.asOf,
        source: fact.source,
      };

const withoutFloors = 'the NFTs whose floor is unknown';

/** Where each figure of the snapshot comes from, how old its oldest part is, and the state of its worst part. */
export const valueFigures = (valued: Valued, settings: ValuationSettings, now: Date): TreasurySnapshot['figures'] => {
  const { reading, tokens, nfts, suiPrice, totals, valuePerRock } = valued;
  const readAt = (asOf: Date): Part => ({
    state: stateAt({ asOf, refreshMs: settings.refreshMs }, now),
    asOf,
    source: 'Sui full node',
  });
  const chain = readAt(reading.chainReadAt);
  const counted = readAt(reading.holdingsReadAt);
  const sui = pricePart(suiPrice, settings, now);
  const prices = tokens.counted.map(({ price }) => pricePart(price, settings, now));
  const floors = nfts.counted.map(({ fact }) => marketPart(fact, settings, now));
  const ifKnown = (amount: bigint | null, figure: Provenance, missing: string): Provenance =>
    amount === null ? unavailableFigure(missing) : figure;
  const nftSuiMissing = 'no floor price yet';
  const nftUsdMissing = suiPrice === null ? noSuiPrice : nftSuiMissing;
  const nftPrice = nfts.counted.length === 0 ? [] : [sui];
  const totalParts = [chain, counted, ...prices, ...floors, ...nftPrice];
  const minted = marketPart(reading.market?.facts.get(settings.collectionType) ?? null, settings, now);
  const total = ifKnown(totals.totalMicroUsd, figureOf(totalParts, withoutFloors), noSuiPrice);
  return {
    totalUsdValue: total,
    balanceInSui: figureOf([chain]),
    nftHoldings: figureOf([counted]),
    suiPrice: suiPriceFigure(suiPrice, settings, now),
    tokenTotalUsd: ifKnown(totals.tokenMicroUsd, figureOf([chain, ...prices]), noSuiPrice),
    nftTotalValueSui: ifKnown(totals.nftMist, figureOf([counted, ...floors], withoutFloors), nftSuiMissing),
    nftTotalValueUsd: ifKnown(
      totals.nftMicroUsd,
      figureOf([counted, ...floors, ...nftPrice], withoutFloors),
      nftUsdMissing,
    ),
    // A collection without bids adds nothing, and that is known; with a silent marketplace it is not.
    nftTotalAtBestBidSui: ifKnown(
      totals.nftBidMist,
      figureOf([counted, ...floors], 'the NFTs whose best bid is unknown'),
      'no bid known',
    ),
    valuePerRock:
      valuePerRock === null
        ? unavailableFigure('needs the total and the number of minted rocks')
        : figureOf([...totalParts, minted], withoutFloors),
    // A share needs every part on chain: without the NFTs' value no share is known.
    allocation: totals.nftMicroUsd === null ? unavailableFigure(nftUsdMissing) : total,
  };
};
