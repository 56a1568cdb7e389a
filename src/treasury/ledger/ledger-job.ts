import { z } from 'zod';

import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Clock } from '../../shared/clock.ts';
import type { SuiClient } from '../../sources/sui/sui-client.ts';
import type { ChainTransaction } from '../../sources/sui/transactions.ts';
import { knownCoins as listedCoins } from '../core/known-coins.ts';
import { capsIn, type Holdings, readPage, type TreasuryRules } from '../core/ledger-page.ts';
import type { TreasuryLog } from '../read-treasury.ts';
import type { LedgerReading, LedgerStore } from './ledger-store.ts';

/** A full node forgets what is old; an archive does not. Throws Unavailable. */
export type TransactionSource = Pick<SuiClient, 'listTransactions' | 'readKeptCheckpoints'>;

export interface LedgerJobDeps {
  readonly rules: TreasuryRules;
  readonly store: LedgerStore;
  readonly node: TransactionSource;
  /** null: there is none for this network. */
  readonly archive: TransactionSource | null;
  /** Which kiosk each cap opens now; absent: none. Throws Unavailable. */
  readonly readKiosksOfCaps: (capIds: readonly string[], stop?: AbortSignal) => Promise<ReadonlyMap<string, string>>;
  readonly refreshMs: number;
  /** Notifies every copy, this one too, that there is something new in the database. */
  readonly publish: () => Promise<void>;
  readonly progressText: () => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: TreasuryLog;
}

/** So that one run is short, and others come in between. */
const pagesPerRunMax = 20;

/** Reads every transaction of the treasury and its kiosks, from the first on: a call a refresh once it has caught up. */
export const ledgerJob = (deps: LedgerJobDeps): JobDefinition<object> => ({
  name: 'treasury-ledger',
  payload: z.object({}),
  repeats: { payload: {}, everyMs: deps.refreshMs },
  longestRetryMs: deps.refreshMs,
  failing: 'The movements of the treasury could not be read',
  run: async (_payload, stop) => {
    const { store, publish, refreshMs, clock, log } = deps;
    const begun = clock.now();
    const wasComplete = (await store.reading()).isComplete;
    const isAtTip = await readOn(deps, stop);
    await publish();
    if (!wasComplete) log.info({}, `The movements of the treasury are read. ${deps.progressText()}`);
    return { againAt: isAtTip ? new Date(begun.getTime() + refreshMs) : clock.now() };
  },
});

/** Page by page from where the last run ended. What is asked for twice is kept once. Answers whether the end was reached. */
async function readOn(deps: LedgerJobDeps, stop: AbortSignal): Promise<boolean> {
  const { store, rules, clock } = deps;
  let reading = await store.reading();
  let holdings = await holdingsOf(store, reading);
  const place = await placeToRead(deps, reading, stop);
  reading = { ...reading, knownSinceCheckpoint: place.knownSince ?? reading.knownSinceCheckpoint };
  let fromCheckpoint = place.fromCheckpoint;
  let after: Uint8Array | undefined;
  for (let pages = 0; pages < pagesPerRunMax; pages += 1) {
    const query = { addresses: [rules.address], objectIds: [...new Set(holdings.kiosks.values())] };
    const page = await place.source.listTransactions({ ...query, fromCheckpoint, after }, stop);
    const kiosksOfCaps = await readKiosks(deps, page.transactions, holdings, stop);
    const read = readPage(page.transactions, holdings, rules, kiosksOfCaps);
    holdings = read.holdings;
    const covered = read.againFrom === null ? page.coveredCheckpoint : read.againFrom - 1n;
    const isAtTip = page.isAtTip && read.againFrom === null;
    reading = {
      ...reading,
      coveredCheckpoint: covered !== null && covered >= fromCheckpoint ? covered : reading.coveredCheckpoint,
      coveredAt: isAtTip && place.isNode ? clock.now() : reading.coveredAt,
      tipCheckpoint: isAtTip ? covered : reading.tipCheckpoint,
      isComplete: reading.isComplete || (isAtTip && place.isNode),
      kiosks: [...holdings.kiosks].map(([capId, kioskId]) => ({ capId, kioskId })),
    };
    await store.savePage(read.entries, holdings.knownCoins, reading);
    if (isAtTip) return true;
    // A checkpoint of more transactions than a page holds is read on from the cursor, any other from the next checkpoint.
    const hasMoved = covered !== null && covered >= fromCheckpoint;
    after = hasMoved || read.againFrom !== null ? undefined : page.cursor;
    if (hasMoved) fromCheckpoint = covered + 1n;
    stop.throwIfAborted();
  }
  return false;
}

async function holdingsOf(store: LedgerStore, { kiosks }: LedgerReading): Promise<Holdings> {
  const [sums, escrowed] = await Promise.all([store.sums(), store.escrowed()]);
  const moved = sums.flatMap(({ coinType, isKnown }) => (isKnown ? [coinType] : []));
  return {
    kiosks: new Map(kiosks.map(({ capId, kioskId }) => [capId, kioskId])),
    escrowed: new Set(escrowed),
    knownCoins: new Set([...listedCoins.flatMap(({ coinTypes }) => coinTypes), ...moved]),
  };
}

async function readKiosks(
  { rules, readKiosksOfCaps }: LedgerJobDeps,
  transactions: readonly ChainTransaction[],
  { kiosks }: Holdings,
  stop: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const caps = capsIn(transactions, rules).filter(({ capId }) => !kiosks.has(capId));
  const made = caps.flatMap(({ capId, kioskId }) => (kioskId === null ? [] : [[capId, kioskId] as const]));
  const asked = caps.filter(({ kioskId }) => kioskId === null).map(({ capId }) => capId);
  return new Map([...made, ...(asked.length === 0 ? [] : await readKiosksOfCaps(asked, stop))]);
}

interface PlaceToRead {
  readonly source: TransactionSource;
  readonly isNode: boolean;
  readonly fromCheckpoint: bigint;
  /** Neither has anything older. */
  readonly knownSince: bigint | null;
}

/** Nodes keep weeks, if they forget at all. */
const surelyKeptMs = 600_000;

/** The node, as long as it has what comes next; else the archive. A node that begins later than asked does not say so. */
async function placeToRead(
  { node, archive, clock }: LedgerJobDeps,
  { coveredCheckpoint, coveredAt }: LedgerReading,
  stop: AbortSignal,
): Promise<PlaceToRead> {
  const fromCheckpoint = (coveredCheckpoint ?? -1n) + 1n;
  const atNode: PlaceToRead = { source: node, isNode: true, fromCheckpoint, knownSince: null };
  const ageMs = coveredAt === null ? Infinity : clock.now().getTime() - coveredAt.getTime();
  if (ageMs < surelyKeptMs) return atNode;
  const { oldest } = await node.readKeptCheckpoints(stop);
  if (oldest <= fromCheckpoint) return atNode;
  if (archive === null) return { ...atNode, fromCheckpoint: oldest, knownSince: oldest };
  const archived = await archive.readKeptCheckpoints(stop);
  const atArchive: PlaceToRead = { source: archive, isNode: false, fromCheckpoint, knownSince: null };
  if (archived.oldest <= fromCheckpoint) return atArchive;
  return archived.oldest < oldest
    ? { ...atArchive, fromCheckpoint: archived.oldest, knownSince: archived.oldest }
    : { ...atNode, fromCheckpoint: oldest, knownSince: oldest };
}
