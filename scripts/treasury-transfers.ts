import { isDeepStrictEqual } from 'node:util';

import type { Transfer } from '../src/payouts/core/check/check-payments.ts';
import { suiCoinType } from '../src/shared/sui-address.ts';
import type { ChainTransaction } from '../src/sources/sui/chain-transaction.ts';
import type { SuiClient } from '../src/sources/sui/sui-client.ts';

type Source = Pick<SuiClient, 'listTransactions' | 'readKeptCheckpoints'>;

/** A node prunes old checkpoints; an archive keeps them. */
export interface ChainSources {
  readonly node: Source;
  /** null: there is none for this network. */
  readonly archive: Source | null;
}

export type ReadChain =
  | { readonly transactions: readonly ChainTransaction[]; readonly newest: bigint; readonly chainId: string | null }
  | { readonly problem: string };

/** Every transaction that touched an address after a checkpoint, oldest first, if the node is past the snapshot. Throws Unavailable. */
export async function readTransactions(
  { node, archive }: ChainSources,
  address: string,
  { after, snapshot }: { readonly after: bigint; readonly snapshot: bigint },
): Promise<ReadChain> {
  const { oldest, newest, chainId } = await node.readKeptCheckpoints();
  if (newest <= snapshot) return { problem: `The node is at checkpoint ${newest}, before the snapshot.` };
  let from = after + 1n;
  const found: ChainTransaction[] = [];
  if (oldest > from) {
    const pruned = await readPruned(archive, address, { from, before: oldest, chainId });
    if ('problem' in pruned) return pruned;
    found.push(...pruned.transactions);
    from = pruned.next;
  }
  found.push(...(await readToTip(node, address, from)));
  const once = new Map(found.map((transaction) => [transaction.digest, transaction]));
  return { transactions: [...once.values()], newest, chainId };
}

/** What the node no longer has. `next`: the checkpoint after the archive's last. */
async function readPruned(
  archive: Source | null,
  address: string,
  { from, before, chainId }: { readonly from: bigint; readonly before: bigint; readonly chainId: string | null },
): Promise<
  { readonly transactions: readonly ChainTransaction[]; readonly next: bigint } | { readonly problem: string }
> {
  const kept = await archive?.readKeptCheckpoints();
  if (archive === null || kept === undefined || kept.oldest > from || kept.newest + 1n < before) {
    return { problem: `Neither the node nor an archive has every transaction from checkpoint ${from} on.` };
  }
  if (chainId !== null && kept.chainId !== null && chainId !== kept.chainId) {
    return { problem: `The node is on chain ${chainId}, but the archive is on chain ${kept.chainId}.` };
  }
  return { transactions: await readToTip(archive, address, from), next: kept.newest + 1n };
}

async function readToTip(
  source: Source,
  address: string,
  fromCheckpoint: bigint,
): Promise<readonly ChainTransaction[]> {
  const found: ChainTransaction[] = [];
  for (let after: Uint8Array | undefined; ;) {
    const page = await source.listTransactions({ addresses: [address], objectIds: [], fromCheckpoint, after });
    found.push(...page.transactions);
    if (page.isAtTip) return found;
    after = page.cursor;
  }
}

/** What a transaction of the treasury sent of a coin, and to whom; null: it is not the treasury's. */
export function transferIn(tx: ChainTransaction, treasury: string, coinType: string): Transfer | null {
  const { digest, checkpoint, at } = tx;
  // Gas, and a rebate of it, is no payment, whoever paid it.
  const isPayersSui = (of: ChainTransaction['balanceChanges'][number]): boolean =>
    of.address === tx.gasPayer && of.coinType === suiCoinType;
  const changes = tx.balanceChanges.map((of) => (isPayersSui(of) ? { ...of, raw: of.raw + tx.gasMist } : of));
  const own = changes.filter(({ address }) => address === treasury);
  const isSent = own.some((change) => change.coinType === coinType && change.raw < 0n);
  const gotSomething = own.some(({ raw }) => raw > 0n) || tx.objects.some((object) => couldBeBought(object, treasury));
  const isPlainPayment = isSent && !gotSomething;
  // Such as a mint or a bid, of which the treasury gets its part.
  if (!isPlainPayment && tx.sender !== treasury) return null;
  const to = changes.filter(
    ({ address, coinType: type, raw }) => address !== treasury && type === coinType && raw > 0n,
  );
  return { digest, checkpoint, at, coinType, isMixed: !isPlainPayment, to };
}

const coinPrefix = `0x${'2'.padStart(64, '0')}::coin::Coin<`;

/** Created or moved, and not from the treasury's wallet: a bought object may be in a kiosk now. Coins count in the balances. */
function couldBeBought({ objectType, before, after }: ChainTransaction['objects'][number], treasury: string): boolean {
  const wasOurs = before?.kind === 'wallet' && before.address === treasury;
  return !wasOurs && !isDeepStrictEqual(before, after) && !objectType.startsWith(coinPrefix);
}
