import { Unavailable } from '../../shared/failure.ts';
import { kiosksMax } from '../core/ledger-page.ts';
import type { LedgerParts, TransactionSource } from './ledger-parts.ts';
import type { LedgerReading } from './ledger-store.ts';

export type PlaceParts = Pick<
  LedgerParts,
  'of' | 'store' | 'sui' | 'backgroundSui' | 'archive' | 'collections' | 'log'
>;

/** The newest checkpoint that a node had executed, with the chain's own time: a node that has stopped gives the same one for ever. */
export interface ChainTip {
  readonly checkpoint: bigint;
  readonly at: Date;
}

export interface PlaceToRead {
  readonly source: TransactionSource;
  readonly isNode: boolean;
  readonly reading: LedgerReading;
  readonly fromCheckpoint: bigint;
  /** The tip of the node before anything was read. */
  readonly tip: ChainTip;
}

/** The node while it has the next checkpoint, else the archive. A node that begins later than requested does not report that. */
export async function placeToRead(parts: PlaceParts, kept: LedgerReading, stop: AbortSignal): Promise<PlaceToRead> {
  const { archive, sui, backgroundSui } = parts;
  const node = kept.isComplete ? sui : backgroundSui;
  const { oldest, newest, newestAt, chainId } = await node.readKeptCheckpoints(stop);
  if (newestAt === null) throw new Unavailable('malformed-answer', 'The Sui full node gave no time for its tip');
  const tip = { checkpoint: newest, at: newestAt };
  const reading = await ofThisChain(parts, kept, chainId);
  const fromCheckpoint = (reading.coveredCheckpoint ?? -1n) + 1n;
  if (oldest <= fromCheckpoint) return { source: node, isNode: true, reading, fromCheckpoint, tip };
  const archived = archive === null ? null : { archive, ...(await archive.readKeptCheckpoints(stop)) };
  if (archived !== null && isOther(archived.chainId, chainId)) {
    throw otherChain('The archive is on a different chain from the node. Check SUI_ARCHIVE_URL');
  }
  if (archived !== null && archived.oldest <= fromCheckpoint) {
    return { source: archived.archive, isNode: false, reading, fromCheckpoint, tip };
  }
  const isNode = archived === null || archived.oldest >= oldest;
  const begin = isNode ? oldest : archived.oldest;
  const now = await parts.collections.readKiosksOf(parts.of.treasuryAddress, stop);
  const kiosks = [...new Map([...reading.kiosks, ...now].map((kiosk) => [kiosk.kioskId, kiosk])).values()];
  const followed = Math.max(reading.kiosks.length, kiosksMax);
  return {
    source: isNode ? node : archived.archive,
    isNode,
    // The kiosks of that time are unknown; those that the treasury has now are the best guess.
    reading: {
      ...reading,
      knownSinceCheckpoint: begin,
      kiosks: kiosks.slice(0, followed),
      hasLeftOutKiosks: reading.hasLeftOutKiosks || kiosks.length > followed,
    },
    fromCheckpoint: begin,
    tip,
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
async function ofThisChain({ of, store, log }: PlaceParts, reading: LedgerReading, chainId: string | null) {
  if (!isOther(reading.chainId, chainId)) return { ...reading, chainId: chainId ?? reading.chainId };
  if (of.network === 'mainnet' && reading.chainId === mainnetChainId) {
    throw otherChain('The node is on a different chain from the ledger, which is of mainnet. Check SUI_GRPC_URL');
  }
  await store.forget();
  log.warn({}, 'The node is on a different chain than before. Reading the treasury movements from the beginning');
  return { ...(await store.reading()), chainId };
}
