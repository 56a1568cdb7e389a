import { escapeHtml } from '../../shared/foreign-text.ts';
import { mistDecimals, toNumber } from '../../shared/money.ts';
import { sourceInWords } from '../../shared/source-status.ts';
import type { CollectionFactsAnswer } from '../contract.ts';
import type { CollectionFact } from './market-facts.ts';

/** Specification 9: total supply of the product's own collection. */
export const ownMaxSupply = 555;

const milestoneEvery = 50;

/** The first mint, every fiftieth and the last one. `mints`: when each was, the oldest first. */
export const mintMilestones = (mints: readonly Date[]) =>
  mints
    .map((at, index) => ({ minted: index + 1, isSoldOut: index + 1 === ownMaxSupply, at }))
    .filter(({ minted, isSoldOut }) => minted === 1 || minted % milestoneEvery === 0 || isSoldOut);

export interface ListedCount {
  readonly listedCount: number;
  readonly asOf: Date;
}

/** How often all rocks are read again. */
export const rocksRefreshMs = 600_000;

/** Counted from the rocks that the gallery shows, so that all pages show the same numbers. */
export interface RockCounts {
  readonly minted: number;
  readonly listed: number;
  readonly floorMist: bigint | null;
  readonly holders: number;
  readonly asOf: Date;
}

/** What the copies of the product know of their own collection. */
export interface OwnFacts {
  readonly fact: CollectionFact | null;
  readonly listed: ListedCount | null;
  /** Left out or null: the rocks were never read, and the marketplace's own counts are shown. */
  readonly rocks?: RockCounts | null;
}

export interface OwnCollectionSettings {
  readonly collectionType: string;
  readonly refreshMs: number;
}

/** Rulings R3: stale is what is older than twice its refresh. A fact that is not known is null. */
export function describeOwnCollection(
  facts: OwnFacts,
  { collectionType, refreshMs }: OwnCollectionSettings,
  now: Date,
): CollectionFactsAnswer {
  const { fact, listed, rocks = null } = facts;
  const base = { collectionType, maxSupply: ownMaxSupply, source: fact?.source ?? 'none' };
  if (fact === null || fact.marketId === null) return { data: { ...base, ...nothingKnown } };
  return {
    data: {
      ...base,
      name: fact.name,
      ...(rocks === null ? countsOfMarket(fact, listed, refreshMs) : countsOfRocks(rocks)),
      // The older of the two: nothing looks fresher than it is.
      asOf: (rocks !== null && rocks.asOf < fact.asOf ? rocks.asOf : fact.asOf).toISOString(),
      state: now.getTime() >= (staleAtMs(facts, refreshMs) ?? 0) ? 'stale' : 'live',
    },
  };
}

const countsOfMarket = (fact: CollectionFact, listed: ListedCount | null, refreshMs: number) => ({
  mintedCount: fact.mintedCount,
  floorSui: suiOf(fact.floorMist),
  // A count from another hour beside a floor of this minute would look like one reading.
  listedCount: listed !== null && isSameReading(fact, listed, refreshMs) ? listed.listedCount : null,
  holderCount: fact.ownerCount,
});

const countsOfRocks = ({ minted, listed, floorMist, holders }: RockCounts) => ({
  mintedCount: minted,
  floorSui: suiOf(floorMist),
  listedCount: listed,
  holderCount: holders,
});

const suiOf = (mist: bigint | null): number | null => (mist === null ? null : toNumber(mist, mistDecimals));

const nothingKnown = {
  name: null,
  mintedCount: null,
  floorSui: null,
  listedCount: null,
  holderCount: null,
  asOf: null,
  state: 'unavailable',
} as const;

/** When the description changes by age alone, as soon as one of its two sources is too old; null: never. */
export function staleAtMs({ fact, rocks = null }: OwnFacts, refreshMs: number): number | null {
  if (fact === null) return null;
  const factStaleAtMs = fact.asOf.getTime() + 2 * refreshMs;
  return rocks === null ? factStaleAtMs : Math.min(factStaleAtMs, rocks.asOf.getTime() + 2 * rocksRefreshMs);
}

function isSameReading(fact: CollectionFact, listed: ListedCount, refreshMs: number): boolean {
  return Math.abs(fact.asOf.getTime() - listed.asOf.getTime()) <= 2 * refreshMs;
}

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });

/** What stands inside `<noscript>` of the collection's pages; unknown facts are left out, and nothing known is no text at all. */
export function collectionNoscriptHtml({ data }: CollectionFactsAnswer): string {
  const { mintedCount, maxSupply, floorSui, listedCount, holderCount, asOf, source, state } = data;
  const facts = [
    mintedCount === null ? null : `${number(mintedCount)} of ${number(maxSupply)} minted`,
    floorSui === null ? null : `floor ${number(floorSui)} SUI`,
    listedCount === null ? null : `${number(listedCount)} listed`,
    holderCount === null ? null : `${number(holderCount)} holders`,
  ].filter((fact) => fact !== null);
  if (facts.length === 0 || asOf === null) return '';
  // A page without scripts cannot count an age that goes on growing, so it gives the moment.
  const moment = `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;
  return `<p>${escapeHtml(facts.join(', '))} (${state}, as of ${moment}, source: ${escapeHtml(sourceInWords(source))})</p>`;
}
