import type { JobDefinition, Jobs } from '../../jobs/jobs.ts';
import { pause } from '../../process/in-time.ts';
import { Unavailable } from '../../shared/failure.ts';
import { historyText } from '../../shared/history-reach.ts';
import type { ChainTransaction } from '../../sources/sui/chain-transaction.ts';
import { knownCoinTypes } from '../core/known-coins.ts';
import { capsIn, type Holdings, nextPage, readPage, type TreasuryRules } from '../core/ledger-page.ts';
import { countedCoins } from '../core/token-valuation.ts';
import { proveNow, reachOf } from './ledger-summary.ts';
import type { LedgerParts } from './ledger-parts.ts';
import { dayPricing, ledgerPricing } from './price-jobs.ts';
import type { LedgerProgress, LedgerStore } from './ledger-store.ts';
import { type ChainTip, placeToRead, type PlaceToRead } from './place-to-read.ts';

/** Keeps a run short, so that other jobs get their turn. */
const pagesPerRunMax = 20;
/** While the past is first read, which may take minutes a run. */
const publishEveryMs = 5_000;

const ledgerJobName = { name: 'treasury-ledger' };

/**
 * Reads every transaction of the treasury and its kiosks since the first. Once it has caught up, a refresh takes two calls, and one more
 * for each ten kiosks beyond nine.
 */
export function ledgerJob(parts: LedgerParts): JobDefinition<object> {
  const { store, queries, publish, settings, treasury, jobs, clock, log } = parts;
  const { refreshMs } = settings;
  let tips: readonly ChainTip[] = [];
  return {
    ...ledgerJobName,
    everyMs: refreshMs,
    longestRetryMs: refreshMs,
    failing: 'The movements of the treasury could not be read',
    run: async (_payload, stop) => {
      const begunMs = performance.now();
      await store.begin();
      const place = await placeToRead(parts, await store.progress(), stop);
      // Keeps the previous tip too: behind one address, the node that is read may lag behind the node that gave the tip.
      tips = [...tips.slice(-1), place.tip];
      const { progress, isAtTip, hasNew } = await readOn(parts, place, tips, stop);
      // Anyone may have sent them, but they are part of the total, and the ledger says where it comes from.
      const hasNewCoins = await store.addKnownCoins(countedCoins(treasury.reading()));
      // A change in value can be split only once every movement has a price.
      if (hasNew || hasNewCoins) await jobs.send(ledgerPricing, {});
      // The value of past days is known soon after the first read, not a minute later.
      if (progress.isComplete && !place.progress.isComplete) await jobs.send(dayPricing, {});
      const coins = await describeCoins(parts, stop);
      if (isAtTip) {
        await deriveOpenings(parts, progress);
        const proof = await proveNow(parts, progress, await store.sums());
        if (proof !== null) await store.saveUnexplained(proof, (coinType) => coins.get(coinType)?.metadata ?? null);
      }
      if (!place.progress.isComplete) {
        await store.refreshStatistics();
        const text = historyText(reachOf(progress, await queries.span(), clock.now()));
        log.info({}, `Reading the movements of the treasury. ${text}`);
      }
      await publish();
      return { againInMs: isAtTip ? Math.max(0, begunMs + refreshMs - performance.now()) : 0 };
    },
  };
}

/** Reads page by page from where the last run ended. A transaction that is read twice is stored once. */
async function readOn(parts: LedgerParts, place: PlaceToRead, tips: readonly ChainTip[], stop: AbortSignal) {
  const { store, publish } = parts;
  const rules = rulesOf(parts);
  let publishedMs = -Infinity;
  let { progress, fromCheckpoint } = place;
  let holdings = await holdingsOf(parts, progress);
  let cursor: Uint8Array | undefined;
  let hasNew = false;
  // Never ends inside a checkpoint: the next run would start it again, and never get past one with more pages than a run.
  for (let pages = 0; pages < pagesPerRunMax || cursor !== undefined; pages += 1) {
    const query = { addresses: [rules.address], objectIds: [...new Set(holdings.kiosks.values())] };
    const page = await place.source.listTransactions({ ...query, fromCheckpoint, after: cursor }, stop);
    const kiosksOfCaps = await readKiosks(parts, page.transactions, holdings, stop);
    const read = readPage(page.transactions, holdings, rules, kiosksOfCaps);
    holdings = read.holdings;
    const next = nextPage(fromCheckpoint, page, read.againFrom);
    progress = progressAfter(progress, {
      coveredCheckpoint: next.coveredCheckpoint ?? progress.coveredCheckpoint,
      tips,
      isUpToNow: next.isAtTip && place.isNode,
      holdings,
    });
    await store.savePage(read.entries, holdings.knownCoins, progress);
    hasNew ||= read.entries.length > 0;
    if (!progress.isComplete && performance.now() - publishedMs >= publishEveryMs) {
      await publish();
      publishedMs = performance.now();
    }
    if (next.isAtTip) return { progress, isAtTip: place.isNode, hasNew };
    ({ cursor, fromCheckpoint } = next);
    stop.throwIfAborted();
  }
  return { progress, isAtTip: false, hasNew };
}

const rulesOf = ({ treasuryKey, collections }: LedgerParts): TreasuryRules => ({
  address: treasuryKey.treasuryAddress,
  ...collections,
});

interface Step {
  readonly coveredCheckpoint: bigint | null;
  readonly tips: readonly ChainTip[];
  readonly isUpToNow: boolean;
  readonly holdings: Holdings;
}

function progressAfter(before: LedgerProgress, { coveredCheckpoint, tips, isUpToNow, holdings }: Step): LedgerProgress {
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
  { kiosks, hasLeftOutKiosks }: LedgerProgress,
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
  const created = caps.flatMap(({ capId, kioskId }) => (kioskId === null ? [] : [[capId, kioskId] as const]));
  const others = caps.filter(({ kioskId }) => kioskId === null).map(({ capId }) => capId);
  const read = others.length === 0 ? [] : await parts.collections.readKiosksOfCaps(others, stop);
  return new Map([...created, ...read]);
}

/**
 * If no node has the beginning, the part of today's balances that the ledger does not explain was there before it. If the ledger has
 * older movements, the unexplained part moved in the gap after them and stays unexplained, since its time is unknown.
 */
async function deriveOpenings(parts: LedgerParts, progress: LedgerProgress): Promise<void> {
  const { store, queries } = parts;
  const { knownSinceCheckpoint: since, hasOpening } = progress;
  if (since === null || hasOpening || (await queries.lastBefore(since)) !== null) return;
  const proof = await proveNow(parts, progress, await store.sums());
  if (proof === null) return;
  const openings = proof.coins.map(({ coinType, unexplainedRaw }) => [coinType, unexplainedRaw] as const);
  await store.saveOpenings(
    new Map(openings.filter(([, raw]) => raw !== 0n)),
    (await holdingsOf(parts, progress)).knownCoins,
  );
}

/** Reads the metadata of known coins that have none yet. A coin without it is shown by its type. */
async function describeCoins({ store, metadata, log }: LedgerParts, stop: AbortSignal) {
  const known = (await store.sums()).flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : []));
  try {
    return await metadata.describe(known, stop);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.info({ err: error }, 'The metadata of some coins in the ledger could not be read yet');
    return metadata.load(known);
  }
}

const readToWithinMs = 20_000;
const checkEveryMs = 100;
/** How often the job is sent again while the ledger is behind. */
const sendEveryMs = 1_000;

/**
 * Sends the ledger's job and waits until everything up to that checkpoint has been read, in whichever copy the job runs. Throws
 * Unavailable when that takes too long.
 */
export const createReadUpTo =
  (store: Pick<LedgerStore, 'progress'>, jobs: Pick<Jobs, 'send'>) =>
  async (checkpoint: bigint): Promise<void> => {
    const never = new AbortController().signal;
    const beganMs = performance.now();
    let sentMs = -Infinity;
    while (((await store.progress()).coveredCheckpoint ?? -1n) < checkpoint) {
      const nowMs = performance.now();
      if (nowMs - beganMs > readToWithinMs) {
        const message = `The ledger was not read up to checkpoint ${checkpoint} within ${readToWithinMs} ms`;
        throw new Unavailable('ledger-behind', message, undefined, 10_000, 'The ledger of the treasury');
      }
      if (nowMs - sentMs > sendEveryMs) {
        await jobs.send(ledgerJobName, {});
        sentMs = nowMs;
      }
      await pause(checkEveryMs, never);
    }
  };
