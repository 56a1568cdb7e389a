import { accountLink } from '../../shared/explorer-links.ts';
import { microUsdDecimals, mistDecimals, picoUsdDecimals, shareOf, toNumber } from '../../shared/money.ts';
import { stakedSuiType, suiCoinType } from '../../shared/sui-address.ts';
import type { Provenance, TreasurySnapshot } from '../contract.ts';
import { allocationDrifts } from './allocation.ts';
import { figureOf, type Part, stateAt, unavailableFigure, worstState } from './figure-state.ts';
import { stableCoinTypes } from './known-coins.ts';
import { jumpPercent } from './next-reading.ts';
import { type NftValuation, valueNfts } from './nft-valuation.ts';
import type { MarketFact, ReadPrice, TreasuryReading, ValuationSettings } from './reading.ts';
import { countablePrice, priceState, type TokenValuation, valueTokens } from './token-valuation.ts';

/** The totals as integers: micro-USD and MIST. null is unknown, never zero. */
interface TreasuryTotals {
  readonly totalMicroUsd: bigint | null;
  readonly tokenMicroUsd: bigint | null;
  readonly nftMicroUsd: bigint | null;
  readonly nftMist: bigint | null;
  readonly nftBidMist: bigint | null;
}

/** `snapshot` is ready for the wire; `totals` are the same totals, exact. */
export interface TreasuryValue {
  readonly snapshot: TreasurySnapshot;
  readonly totals: TreasuryTotals;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const known = (amounts: readonly (bigint | null)[]): bigint[] => amounts.filter((amount) => amount !== null);

/** The sum of the known amounts; null if there are amounts but none is known. */
const sumOfKnown = (amounts: readonly (bigint | null)[]): bigint | null => {
  const found = known(amounts);
  return found.length === 0 && amounts.length > 0 ? null : sum(found);
};

/**
 * `totalUsdValue` = priced tokens + NFTs at floor (rulings R3). Without a SUI price no total is known. While the marketplace
 * has never answered, the total is the tokens alone and marked estimated (decision 0008).
 */
const totalsOf = (tokens: TokenValuation, nfts: NftValuation, suiPrice: ReadPrice | null): TreasuryTotals => {
  const priced = suiPrice !== null;
  const tokenMicroUsd = priced ? sum(known(tokens.counted.map((token) => token.valueMicroUsd))) : null;
  const nftMicroUsd = priced ? sumOfKnown(nfts.counted.map((row) => row.valueMicroUsd)) : null;
  return {
    tokenMicroUsd,
    nftMicroUsd,
    totalMicroUsd: tokenMicroUsd === null ? null : tokenMicroUsd + (nftMicroUsd ?? 0n),
    nftMist: sumOfKnown(nfts.counted.map((row) => row.valueMist)),
    nftBidMist: sumOfKnown(nfts.counted.map((row) => row.bidMist)),
  };
};

const numberOrNull = (amount: bigint | null, decimals: number): number | null =>
  amount === null ? null : toNumber(amount, decimals);

/** Rulings R3: value per rock = total / minted of the product's own collection. */
const valuePerRock = (reading: TreasuryReading, total: bigint | null, collectionType: string) => {
  const fact = reading.market?.facts.get(collectionType);
  if (total === null || fact === undefined || fact.mintedCount === null || fact.mintedCount <= 0) return null;
  const usd = toNumber(shareOf(total, fact.mintedCount), microUsdDecimals);
  return { usd, mintedCount: fact.mintedCount, asOf: fact.asOf.toISOString() };
};

/** Decision 0009: NFTs -> SUI NFT Treasury; SUI and stablecoins -> Not yet deployed; every other counted token -> Degen Plays. */
const sharesOf = (tokens: TokenValuation, totals: TreasuryTotals) => {
  if (totals.tokenMicroUsd === null) return { nfts: null, undeployed: null, otherTokens: null };
  const undeployedTypes = new Set([suiCoinType, stakedSuiType, ...stableCoinTypes]);
  const undeployed = sum(
    known(tokens.counted.filter((token) => undeployedTypes.has(token.coinType)).map((token) => token.valueMicroUsd)),
  );
  return { nfts: totals.nftMicroUsd, undeployed, otherTokens: totals.tokenMicroUsd - undeployed };
};

/**
 * The one valuation (rulings R3), used by the page, the export and the bots. Pure: the same reading at the same moment gives
 * the same snapshot, and the totals are exactly the sums of the rows shown.
 */
export const valueTreasury = (reading: TreasuryReading, settings: ValuationSettings, now: Date): TreasuryValue => {
  const suiPrice = countablePrice(reading.prices.get(suiCoinType));
  const tokens = valueTokens(reading, settings, now);
  const nfts = valueNfts(reading, suiPrice, settings, now);
  const totals = totalsOf(tokens, nfts, suiPrice);
  const perRock = valuePerRock(reading, totals.totalMicroUsd, settings.collectionType);
  const figures = valueFigures({ reading, tokens, nfts, suiPrice, totals, valuePerRock: perRock }, settings, now);
  const suiBalanceMist = sum(
    reading.balances.filter((row) => row.coinType === suiCoinType).map((row) => row.rawBalance),
  );
  const snapshot: TreasurySnapshot = {
    network: settings.network,
    treasuryAddress: settings.treasuryAddress,
    explorerUrl: accountLink(settings.explorerUrl, settings.treasuryAddress),
    asOf: reading.chainReadAt.toISOString(),
    checkpoint: reading.checkpoint?.toString() ?? null,
    state: worstState([figures.totalUsdValue.state, figures.balanceInSui.state]),
    totalUsdValue: numberOrNull(totals.totalMicroUsd, microUsdDecimals),
    balance: { balanceInSui: toNumber(suiBalanceMist, mistDecimals) },
    tokenBreakdown: tokens.counted.map((token) => token.holding),
    nftBreakdown: nfts.counted.map((row) => row.holding),
    nftTotalValueSui: numberOrNull(totals.nftMist, mistDecimals),
    nftTotalValueUsd: numberOrNull(totals.nftMicroUsd, microUsdDecimals),
    nftTotalAtBestBidSui: numberOrNull(totals.nftBidMist, mistDecimals),
    tokenTotalUsd: numberOrNull(totals.tokenMicroUsd, microUsdDecimals),
    uncountedTokens: [...tokens.uncounted],
    uncountedTokenCount: tokens.uncountedCount,
    uncountedNfts: [...nfts.uncounted],
    uncountedNftCollectionCount: nfts.uncountedCollectionCount,
    figures,
    suiPriceUsd: suiPrice === null ? null : toNumber(suiPrice.quote.pricePicoUsd, picoUsdDecimals),
    valuePerRock: perRock,
    allocation: allocationDrifts(sharesOf(tokens, totals)),
    jump:
      reading.jump === null
        ? null
        : {
            previousUsdValue: toNumber(reading.jump.previousMicroUsd, microUsdDecimals),
            nextUsdValue: toNumber(reading.jump.nextMicroUsd, microUsdDecimals),
            changePercent: jumpPercent(reading.jump),
            confirmedAt: reading.jump.confirmedAt.toISOString(),
          },
  };
  return { snapshot, totals };
};

/** Results of a valuation; a figure is known if its amount is. */
interface Valued {
  readonly reading: TreasuryReading;
  readonly tokens: TokenValuation;
  readonly nfts: NftValuation;
  readonly suiPrice: ReadPrice | null;
  readonly totals: TreasuryTotals;
  readonly valuePerRock: TreasurySnapshot['valuePerRock'];
}

const noSuiPrice = 'no price of SUI yet';

const pricePart = (price: ReadPrice | null, settings: ValuationSettings, now: Date): Part => ({
  state: priceState(price, settings.refreshMs, now),
  asOf: price?.readAt ?? null,
  source: price?.quote.source ?? null,
});

function suiPriceFigure(price: ReadPrice | null, { refreshMs }: ValuationSettings, now: Date): Provenance {
  if (price === null) return unavailableFigure(noSuiPrice);
  const { asOf, source } = price.quote;
  return { state: priceState(price, refreshMs, now), asOf: asOf.toISOString(), source };
}

function marketPart(fact: MarketFact | null, { refreshMs }: ValuationSettings, now: Date): Part {
  if (fact === null) return { state: 'unavailable', asOf: null, source: null };
  const { asOf, source } = fact;
  return { state: stateAt({ asOf, refreshMs }, now), asOf, source };
}

const withoutFloors = 'the NFTs whose floor is unknown';

/** Where each figure of the snapshot comes from, how old its oldest part is, and the state of its worst part. */
const valueFigures = (valued: Valued, settings: ValuationSettings, now: Date): TreasurySnapshot['figures'] => {
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
    // A collection known to have no bids adds nothing; without an answer from the marketplace its bids are unknown.
    nftTotalAtBestBidSui: ifKnown(
      totals.nftBidMist,
      figureOf([counted, ...floors], 'the NFTs whose best bid is unknown'),
      'no bid known',
    ),
    valuePerRock:
      valuePerRock === null
        ? unavailableFigure('needs the total and the number of minted rocks')
        : figureOf([...totalParts, minted], withoutFloors),
    // Shares need every part on chain, so none is known without the value of the NFTs.
    allocation: totals.nftMicroUsd === null ? unavailableFigure(nftUsdMissing) : total,
  };
};
