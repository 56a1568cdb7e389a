import { Unavailable } from '../../shared/failure.ts';
import { kiosksMax } from '../core/ledger-page.ts';
import type { LedgerParts, TransactionSource } from './ledger-parts.ts';
import type { LedgerReading } from './ledger-store.ts';

export type PlaceParts = Pick<
  LedgerParts,
  'of' | 'store' | 'sui' | 'backgroundSui' | 'archive' | 'collections' | 'log'
>;

/** The newest checkpoint that a node had executed, with the chain's own time: a node that has stopped says the same for ever. */
export interface ChainTip {
  readonly checkpoint: bigint;
  readonly at: Date;
}

export interface PlaceToRead {
  readonly source: TransactionSource;
  readonly isNode: boolean;
  readonly reading: LedgerReading;
  readonly fromCheckpoint: bigint;
  /** Of the node, before anything was read. */
  readonly tip: ChainTip;
}

/** The node, as long as it has what comes next; else the archive. A node that begins later than asked does not say so. */
export async function placeToRead(parts: PlaceParts, kept: LedgerReading, stop: AbortSignal): Promise<PlaceToRead> {
  const { archive, sui, backgroundSui } = parts;
  const node = kept.isComplete ? sui : backgroundSui;
  const { oldest, newest, newestAt, chainId } = await node.readKeptCheckpoints(stop);
  if (newestAt === null) throw new Unavailable('malformed-answer', 'The Sui full node does not say how late it is');
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
  const kiosks = await parts.collections.readKiosksOf(parts.of.treasuryAddress, stop);
  return {
    source: isNode ? node : archived.archive,
    isNode,
    // Which kiosks it had then nobody says any more; those that it has now are a good part of the answer.
    reading: {
      ...reading,
      knownSinceCheckpoint: begin,
      kiosks: [...reading.kiosks, ...kiosks].slice(0, Math.max(reading.kiosks.length, kiosksMax)),
      hasLeftOutKiosks: reading.hasLeftOutKiosks || reading.kiosks.length + kiosks.length > kiosksMax,
    },
    fromCheckpoint: begin,
    tip,
  };
}

const isOther = (chainId: string | null, than: string | null): boolean =>
  chainId !== null && than !== null && chainId !== than;

const otherChain = (message: string): Unavailable => new Unavailable('other-chain', message);

/** The digest of its genesis checkpoint. A sandbox goes by the name of mainnet, but begins anew and has another. */
const mainnetChainId = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';

/**
 * A test network that began anew has the same name: what was read of the one before is none of its past. Mainnet never begins anew:
 * there it is the node that is wrong.
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
