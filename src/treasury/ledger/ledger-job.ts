import { z } from 'zod';

import type { JobDefinition, JobName, Jobs } from '../../jobs/jobs.ts';
import { pause } from '../../process/in-time.ts';
import { Unavailable } from '../../shared/failure.ts';
import { historyText } from '../../shared/history-reach.ts';
import type { ChainTransaction } from '../../sources/sui/chain-transaction.ts';
import { knownCoinTypes } from '../core/known-coins.ts';
import { capsIn, type Holdings, readPage, type TreasuryRules } from '../core/ledger-page.ts';
import { proveNow, reachOf } from './ledger-book.ts';
import type { LedgerParts } from './ledger-parts.ts';
import { ledgerPricing } from './price-jobs.ts';
import type { LedgerReading, LedgerStore } from './ledger-store.ts';
import { type ChainTip, placeToRead, type PlaceToRead } from './place-to-read.ts';

/** So that one run is short, and others come in between. */
const pagesPerRunMax = 20;

const ledgerReading = {
  name: 'treasury-ledger',
  payload: z.object({}),
  key: () => 'treasury-ledger',
} satisfies JobName<object>;

/**
 * Reads every transaction of the treasury and its kiosks, from the first on: two calls a refresh once it has caught up, one more for each
 * ten kiosks beyond nine.
 */
export function ledgerJob(parts: LedgerParts): JobDefinition<object> {
  const { store, queries, publish, settings, jobs, clock, log } = parts;
  const { refreshMs } = settings;
  let tips: readonly ChainTip[] = [];
  return {
    ...ledgerReading,
    repeats: { payload: {}, everyMs: refreshMs },
    longestRetryMs: refreshMs,
    failing: 'The movements of the treasury could not be read',
    run: async (_payload, stop) => {
      const begun = clock.now();
      await store.begin();
      const place = await placeToRead(parts, await store.reading(), stop);
      // The one before too: of several nodes behind one address, the one that is read may be behind the one that said how far the chain is.
      tips = [...tips.slice(-1), place.tip];
      const { reading, isAtTip, hasNew } = await readOn(parts, place, tips, stop);
      // Until it has a price, nobody can say how much of a change in value moved in or out.
      if (hasNew) await jobs.send(ledgerPricing, {});
      const coins = await describeCoins(parts, stop);
      if (isAtTip) {
        await deriveOpenings(parts, reading);
        const proof = await proveNow(parts, reading, await store.sums());
        if (proof !== null) await store.saveUnexplained(proof, (coinType) => coins.get(coinType)?.metadata ?? null);
      }
      if (!place.reading.isComplete) {
        await store.refreshStatistics();
        const text = historyText(reachOf(reading, await queries.span(), clock.now()));
        log.info({}, `The movements of the treasury are read. ${text}`);
      }
      await publish();
      return { againAt: isAtTip ? new Date(begun.getTime() + refreshMs) : clock.now() };
    },
  };
}

/** Page by page from where the last run ended. What is asked for twice is kept once. */
async function readOn(parts: LedgerParts, place: PlaceToRead, tips: readonly ChainTip[], stop: AbortSignal) {
  const { store } = parts;
  const rules = rulesOf(parts);
  let { reading, fromCheckpoint } = place;
  let holdings = await holdingsOf(parts, reading);
  let after: Uint8Array | undefined;
  let hasNew = false;
  // Never ends in the middle of a checkpoint: the next run would begin it anew, and never pass one of more pages than a run has.
  for (let pages = 0; pages < pagesPerRunMax || after !== undefined; pages += 1) {
    const query = { addresses: [rules.address], objectIds: [...new Set(holdings.kiosks.values())] };
    const page = await place.source.listTransactions({ ...query, fromCheckpoint, after }, stop);
    const kiosksOfCaps = await readKiosks(parts, page.transactions, holdings, stop);
    const read = readPage(page.transactions, holdings, rules, kiosksOfCaps);
    holdings = read.holdings;
    const covered = read.againFrom === null ? page.coveredCheckpoint : read.againFrom - 1n;
    const isAtTip = page.isAtTip && read.againFrom === null;
    const hasMoved = covered !== null && covered >= fromCheckpoint;
    reading = readingAfter(reading, {
      covered: hasMoved ? covered : null,
      tips,
      isUpToNow: isAtTip && place.isNode,
      holdings,
    });
    await store.savePage(read.entries, holdings.knownCoins, reading);
    hasNew ||= read.entries.length > 0;
    if (isAtTip) return { reading, isAtTip: place.isNode, hasNew };
    // A checkpoint of more transactions than a page holds is read on from the cursor, any other from the next checkpoint.
    after = hasMoved || read.againFrom !== null ? undefined : page.cursor;
    if (hasMoved) fromCheckpoint = covered + 1n;
    stop.throwIfAborted();
  }
  return { reading, isAtTip: false, hasNew };
}

const rulesOf = ({ of, collections }: LedgerParts): TreasuryRules => ({ address: of.treasuryAddress, ...collections });

interface Step {
  /** null: no further than before. */
  readonly covered: bigint | null;
  readonly tips: readonly ChainTip[];
  readonly isUpToNow: boolean;
  readonly holdings: Holdings;
}

function readingAfter(before: LedgerReading, { covered, tips, isUpToNow, holdings }: Step): LedgerReading {
  const coveredCheckpoint = covered ?? before.coveredCheckpoint;
  const reached = tips.filter(({ checkpoint }) => coveredCheckpoint !== null && checkpoint <= coveredCheckpoint);
  const coveredAt = latest([...reached.map(({ at }) => at), before.coveredAt]);
  return {
    ...before,
    coveredCheckpoint,
    coveredAt,
    isComplete: before.isComplete || (isUpToNow && coveredAt !== null),
    hasLeftOutKiosks: holdings.hasLeftOutKiosks,
    kiosks: [...holdings.kiosks].map(([capId, kioskId]) => ({ capId, kioskId })),
  };
}

const latest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((last, at) => (last === null || (at !== null && at > last) ? at : last), null);

async function holdingsOf(
  { store, queries }: LedgerParts,
  { kiosks, hasLeftOutKiosks }: LedgerReading,
): Promise<Holdings> {
  const [sums, escrowed, traded] = await Promise.all([store.sums(), queries.escrowed(), queries.tradedCollections()]);
  const moved = sums.flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : []));
  return {
    kiosks: new Map(kiosks.map(({ capId, kioskId }) => [capId, kioskId])),
    hasLeftOutKiosks,
    escrowed: new Set(escrowed),
    tradedCollections: new Set(traded),
    knownCoins: new Set([...knownCoinTypes, ...moved]),
  };
}

async function readKiosks(
  parts: LedgerParts,
  transactions: readonly ChainTransaction[],
  { kiosks }: Holdings,
  stop: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const caps = capsIn(transactions, rulesOf(parts)).filter(({ capId }) => !kiosks.has(capId));
  const made = caps.flatMap(({ capId, kioskId }) => (kioskId === null ? [] : [[capId, kioskId] as const]));
  const asked = caps.filter(({ kioskId }) => kioskId === null).map(({ capId }) => capId);
  return new Map([...made, ...(asked.length === 0 ? [] : await parts.collections.readKiosksOfCaps(asked, stop))]);
}

/**
 * Where no node has the beginning: what the ledger does not explain of today's balances was there before it. Where it has older movements,
 * what nobody has any more lies between: that stays unexplained, as nothing says when it moved.
 */
async function deriveOpenings(parts: LedgerParts, reading: LedgerReading): Promise<void> {
  const { store, queries } = parts;
  const { knownSinceCheckpoint: since, hasOpening } = reading;
  if (since === null || hasOpening || (await queries.hasBefore(since))) return;
  const proof = await proveNow(parts, reading, await store.sums());
  if (proof === null) return;
  const openings = proof.coins.map(({ coinType, unexplainedRaw }) => [coinType, unexplainedRaw] as const);
  await store.saveOpenings(
    new Map(openings.filter(([, raw]) => raw !== 0n)),
    (await holdingsOf(parts, reading)).knownCoins,
  );
}

/** Symbol and decimals of coins that the ledger names and that were never read. A coin without them is shown by its type. */
async function describeCoins({ store, metadata, log }: LedgerParts, stop: AbortSignal) {
  const known = (await store.sums()).flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : []));
  const described = await metadata.load(known);
  const missing = known.filter((coinType) => !described.has(coinType));
  try {
    await metadata.read(missing, stop);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.info({ err: error }, 'Some coins of the ledger could not be described yet');
  }
  return new Map([...described, ...(await metadata.load(missing))]);
}

const readToWithinMs = 20_000;
const lookEveryMs = 100;
/** A node that is behind is asked again so often. */
const sendEveryMs = 1_000;

/**
 * Has the ledger read now, and waits until it has everything up to that checkpoint, in whichever copy of the product the job runs. Throws
 * Unavailable when that takes too long.
 */
export const createReadTo =
  (store: Pick<LedgerStore, 'reading'>, jobs: Pick<Jobs, 'send'>) =>
  async (checkpoint: bigint): Promise<void> => {
    const never = new AbortController().signal;
    const beganMs = performance.now();
    let sentMs = -Infinity;
    while (((await store.reading()).coveredCheckpoint ?? -1n) < checkpoint) {
      const nowMs = performance.now();
      if (nowMs - beganMs > readToWithinMs) {
        const message = `The ledger was not read up to checkpoint ${checkpoint} within ${readToWithinMs} ms`;
        throw new Unavailable('ledger-behind', message, undefined, 10_000, 'The ledger of the treasury');
      }
      if (nowMs - sentMs > sendEveryMs) {
        await jobs.send(ledgerReading, {});
        sentMs = nowMs;
      }
      await pause(lookEveryMs, never);
    }
  };
