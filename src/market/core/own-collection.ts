import { escapeHtml } from '../../shared/foreign-text.ts';
import { mistDecimals, mistOf, suiText, toNumber } from '../../shared/money.ts';
import { sourceInWords } from '../../shared/source-status.ts';
import { type CollectionFactsAnswer, isMarketOutage } from '../contract.ts';

/** Specification 9: total supply of the product's own collection. */
export const ownMaxSupply = 555;

const milestoneEvery = 50;

/** The first mint, every fiftieth and the last one. `mints`: the time of each, oldest first. */
export const mintMilestones = (mints: readonly Date[]) =>
  mints
    .map((at, index) => ({ minted: index + 1, isSoldOut: index + 1 === ownMaxSupply, at }))
    .filter(({ minted, isSoldOut }) => minted === 1 || minted % milestoneEvery === 0 || isSoldOut);

export const rocksRefreshMs = 600_000;

/** Counts over the gallery's rocks, so that all pages show the same numbers. */
export interface RockCounts {
  readonly minted: number;
  readonly listed: number;
  readonly floorMist: bigint | null;
  /** null: not known yet. */
  readonly holders: number | null;
  readonly asOf: Date;
}

/** The poll state of our own collection. */
export interface WatchedCollection {
  readonly name: string;
  readonly lastSucceededAt: Date | null;
  /** A stable code; null: the last poll succeeded. */
  readonly failureReason: string | null;
}

/** Rulings R3: a figure older than twice its refresh is stale. */
export const staleAtMs = (rocksAsOf: Date): number => rocksAsOf.getTime() + 2 * rocksRefreshMs;

/**
 * When the marketplace last answered about our own collection: now, unless polls or readings fail. null: never. A collection that the
 * marketplace does not know is not polled (`polled` null): then the last reading, which found no rocks, is the last answer.
 */
export function marketAnsweredAt(polled: WatchedCollection | null, rocksAsOf: Date | null, now: Date): Date | null {
  if (polled === null) {
    const isRecent = rocksAsOf !== null && now.getTime() < staleAtMs(rocksAsOf);
    return isRecent ? now : rocksAsOf;
  }
  const { lastSucceededAt, failureReason } = polled;
  if (lastSucceededAt === null) return null;
  return failureReason !== null && isMarketOutage(failureReason) ? lastSucceededAt : now;
}

/** The age of facts about rocks, and whether they are stale by now. `asOf` null: nothing has been read yet. */
export function ageOf(asOf: Date | null, now: Date): Pick<CollectionFactsAnswer, 'asOf' | 'state'> {
  if (asOf === null) return { asOf: null, state: 'unavailable' };
  return { asOf: asOf.toISOString(), state: now.getTime() >= staleAtMs(asOf) ? 'stale' : 'live' };
}

export interface MarketFloor {
  readonly verified: boolean;
  readonly floorMist: bigint | null;
  readonly asOf: Date;
}

/**
 * The marketplace's facts by collection, with the floor of the rocks for our own: the marketplace's may be a price in another coin.
 * `rocks` null: none have been read yet, so the marketplace's stays.
 */
export function withFloorOfRocks<Fact extends MarketFloor>(
  facts: ReadonlyMap<string, Fact>,
  collectionType: string,
  rocks: RockCounts | null,
  now: Date,
): ReadonlyMap<string, Fact> {
  const fact = facts.get(collectionType);
  if (rocks === null || fact?.verified !== true) return facts;
  // Rocks are read again after each event, so their floor is as new as the marketplace's answer, unless readings fail.
  const isStale = now.getTime() >= staleAtMs(rocks.asOf);
  const asOf = isStale && rocks.asOf < fact.asOf ? rocks.asOf : fact.asOf;
  return new Map(facts).set(collectionType, { ...fact, floorMist: rocks.floorMist, asOf });
}

/** `rocks` null: none have been read yet, so every fact is null. */
export function describeOwnCollection(
  collectionType: string,
  rocks: RockCounts | null,
  name: string | null,
  now: Date,
): CollectionFactsAnswer {
  const { minted = null, listed = null, floorMist = null, holders = null, asOf = null } = rocks ?? {};
  return {
    collectionType,
    maxSupply: ownMaxSupply,
    source: rocks === null ? 'none' : 'tradeport',
    name: rocks === null ? null : name,
    mintedCount: minted,
    floorSui: floorMist === null ? null : toNumber(floorMist, mistDecimals),
    listedCount: listed,
    holderCount: holders,
    ...ageOf(asOf, now),
  };
}

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });

/** The text inside `<noscript>` on the collection's pages. Unknown facts are left out; without any facts it is empty. */
export function collectionNoscriptHtml(collection: CollectionFactsAnswer): string {
  const { mintedCount, maxSupply, floorSui, listedCount, holderCount, asOf, source, state } = collection;
  const facts = [
    mintedCount === null ? null : `${number(mintedCount)} of ${number(maxSupply)} minted`,
    floorSui === null ? null : `floor ${suiText(mistOf(floorSui))}`,
    listedCount === null ? null : `${number(listedCount)} listed`,
    holderCount === null ? null : `${number(holderCount)} holders`,
  ].filter((fact) => fact !== null);
  if (facts.length === 0 || asOf === null) return '';
  // Without scripts the page cannot update an age, so it gives the time.
  const moment = `${asOf.slice(0, 10)} ${asOf.slice(11, 16)} UTC`;
  return `<p>${escapeHtml(facts.join(', '))} (${state}, as of ${moment}, source: ${escapeHtml(sourceInWords(source))})</p>`;
}
