import { Unavailable } from '../../shared/failure.ts';
import { kiosksMax } from '../core/ledger-page.ts';
import type { LedgerParts, TransactionSource } from './ledger-parts.ts';
import type { LedgerProgress } from './ledger-store.ts';

export type PlaceParts = Pick<
  LedgerParts,
  'treasuryKey' | 'store' | 'sui' | 'backgroundSui' | 'archive' | 'collections' | 'log'
>;

/** The newest checkpoint that a node had executed, with the chain's own time: a node that has stopped gives the same one for ever. */
export interface ChainTip {
  readonly checkpoint: bigint;
  readonly at: Date;
}

export interface PlaceToRead {
  readonly source: TransactionSource;
  readonly isNode: boolean;
  readonly progress: LedgerProgress;
  readonly fromCheckpoint: bigint;
  /** The tip of the node before anything was read. */
  readonly tip: ChainTip;
}

/** The node while it has the next checkpoint, else the archive. A node that begins later than requested does not report that. */
export async function placeToRead(parts: PlaceParts, stored: LedgerProgress, stop: AbortSignal): Promise<PlaceToRead> {
  const node = stored.isComplete ? parts.sui : parts.backgroundSui;
  const { oldest, newest, newestAt, chainId } = await node.readKeptCheckpoints(stop);
  if (newestAt === null) throw new Unavailable('malformed-answer', 'The Sui full node gave no time for its tip');
  const tip = { checkpoint: newest, at: newestAt };
  const progress = await ofThisChain(parts, stored, chainId);
  const fromCheckpoint = (progress.coveredCheckpoint ?? -1n) + 1n;
  if (oldest <= fromCheckpoint) return { source: node, isNode: true, progress, fromCheckpoint, tip };
  const archive = await oldestOfArchive(parts, chainId, stop);
  const isArchiveLonger = archive !== null && archive.oldest < oldest;
  const longest = isArchiveLonger ? { ...archive, isNode: false } : { source: node, isNode: true, oldest, newest };
  const { source, isNode } = longest;
  if (longest.newest < fromCheckpoint) {
    const message = 'The archive ends before what the full node still has. Check SUI_ARCHIVE_URL';
    throw new Unavailable('archive-behind', message);
  }
  if (longest.oldest <= fromCheckpoint) return { source, isNode, progress, fromCheckpoint, tip };
  const afterGap = await progressAfterGap(parts, progress, longest.oldest, stop);
  return { source, isNode, progress: afterGap, fromCheckpoint: longest.oldest, tip };
}

/** null: there is no archive. */
async function oldestOfArchive({ archive }: PlaceParts, chainId: string | null, stop: AbortSignal) {
  if (archive === null) return null;
  const kept = await archive.readKeptCheckpoints(stop);
  if (isOther(kept.chainId, chainId))
    throw otherChain('The archive is on a different chain from the node. Check SUI_ARCHIVE_URL');
  return { source: archive, oldest: kept.oldest, newest: kept.newest };
}

/** Nobody has the checkpoints before `begin`, nor the kiosks of that time; those that the treasury has now are the best guess. */
async function progressAfterGap(
  { collections, treasuryKey }: PlaceParts,
  progress: LedgerProgress,
  begin: bigint,
  stop: AbortSignal,
): Promise<LedgerProgress> {
  const kiosksNow = await collections.readKiosksOf(treasuryKey.treasuryAddress, stop);
  const kiosks = [...new Map([...progress.kiosks, ...kiosksNow].map((kiosk) => [kiosk.kioskId, kiosk])).values()];
  const followedMax = Math.max(progress.kiosks.length, kiosksMax);
  return {
    ...progress,
    knownSinceCheckpoint: begin,
    kiosks: kiosks.slice(0, followedMax),
    hasLeftOutKiosks: progress.hasLeftOutKiosks || kiosks.length > followedMax,
  };
}

const isOther = (chainId: string | null, than: string | null): boolean =>
  chainId !== null && than !== null && chainId !== than;

const otherChain = (message: string): Unavailable => new Unavailable('other-chain', message);

/** The digest of mainnet's genesis checkpoint. A sandbox is called mainnet too, but restarts and has another digest. */
const mainnetChainId = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';

/**
 * A test network keeps its name when it restarts, but what was read before is not its history. Mainnet never restarts, so there the node
 * is wrong.
 */
async function ofThisChain({ treasuryKey, store, log }: PlaceParts, progress: LedgerProgress, chainId: string | null) {
  if (!isOther(progress.chainId, chainId)) return { ...progress, chainId: chainId ?? progress.chainId };
  if (treasuryKey.network === 'mainnet' && progress.chainId === mainnetChainId) {
    throw otherChain('The node is on a different chain from the ledger, which is of mainnet. Check SUI_GRPC_URL');
  }
  await store.forget();
  log.warn({}, 'The node is on a different chain than before. Reading the treasury movements from the beginning');
  return { ...(await store.progress()), chainId };
}
