import { addressFrom, uuidFrom } from './derived-ids.ts';
import { execute } from './ledger.ts';
import { moveCoins } from './moving-coins.ts';
import type { ChainTransaction, Collection, WorldContext } from './state.ts';
import { markedLabel, nextSequence } from './state.ts';
import { canonicalAddress } from './sui-names.ts';
import { addCoin } from './tokens.ts';

export type Spam = {
  what: 'coins' | 'nfts';
  count: number;
  /** The treasury by default. */
  to?: string;
  /** All in one transaction by default. */
  transactions?: 'one' | 'many';
  title?: string;
};

const spammer = addressFrom('spammer');

/** Sends unsolicited worthless coins of one new type, or NFTs of a type that no marketplace knows. */
export function spam(world: WorldContext, wanted: Spam): ChainTransaction[] {
  const { state } = world;
  const to = canonicalAddress(wanted.to ?? state.treasuryAddress);
  const key = markedLabel(state, `spam-${nextSequence(state)}`);
  const send = wanted.what === 'coins' ? coinSender(world, key, wanted, to) : nftSender(world, key, wanted, to);
  const transactions: ChainTransaction[] = [];
  for (let number = 1; number <= wanted.count; number += 1) {
    const last = wanted.transactions === 'many' ? undefined : transactions.at(-1);
    const transaction = last ?? execute(world, spammer);
    if (!last) transactions.push(transaction);
    send(transaction, number);
  }
  return transactions;
}

type Send = (transaction: ChainTransaction, number: number) => void;

function coinSender(world: WorldContext, key: string, { title }: Spam, to: string): Send {
  const metadata = { symbol: 'CLAIM', name: title ?? 'Claim at https://claim.example', decimals: 0 };
  const { coinType } = addCoin(world, { coinType: `${addressFrom(`package/${key}`)}::claim::CLAIM`, metadata });
  return (transaction) => moveCoins(world.state, transaction, { from: spammer, to, coinType, amount: 1n });
}

function nftSender({ state }: WorldContext, key: string, { title }: Spam, to: string): Send {
  const collection = unknownCollection(key, title ?? 'Claim your prize at https://prize.example');
  state.collections.set(key, collection);
  return (transaction, number) => {
    const label = `nft/${key}/${number}`;
    const place = { kind: 'wallet' as const, address: to };
    const id = addressFrom(label);
    state.nfts.set(id, {
      id,
      rowId: uuidFrom(label),
      collectionKey: key,
      number,
      name: `${collection.title} #${number}`,
      description: collection.description,
      imagePath: null,
      colour: null,
      place,
      version: nextSequence(state),
      lastDigest: transaction.digest,
    });
    transaction.placements.push({ nftId: id, before: null, after: place });
  };
}

function unknownCollection(key: string, title: string): Collection {
  return {
    key,
    rowId: uuidFrom(`collection/${key}`),
    nftType: `${addressFrom(`package/${key}`)}::prize::Prize`,
    title,
    semanticSlug: key,
    description: 'Not asked for.',
    verified: false,
    onMarketplace: false,
    maxSupply: null,
    mintPriceMist: 0n,
    floorRule: { kind: 'lowest-listing' },
    volumeMist: 0n,
  };
}
