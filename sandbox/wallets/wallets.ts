import type { WorldControl } from '../world/control.ts';
import { findKiosk, findNft, nftsOfOwner } from '../world/ownership.ts';
import type { CapKind, Nft, WorldState } from '../world/state.ts';
import { Impossible } from '../world/state.ts';
import { activeListing } from '../world/trading.ts';
import type { Person, PersonWithKey, TreasuryKeys } from './people.ts';
import { treasuryName, walletPeople } from './people.ts';
import type { WalletSigner } from './signer.ts';

/** One NFT of a person and where it is. */
export type HeldNft = {
  nft: Nft;
  place: 'wallet' | 'simple-listing' | CapKind;
  kioskId: string | null;
  isLocked: boolean;
  /** null: it is not listed. */
  listedAtMist: bigint | null;
};

/** People with wallets: real keys, and NFTs of the sandbox's world. */
export type WalletControl = {
  people: () => readonly Person[];
  /** By name or address. Throws Impossible when there is no such wallet. */
  person: (wanted: string) => Person;
  /** Signs a personal message; base64, as wallets return it. The sandbox's full node accepts a zkLogin signature from then on. */
  sign: (person: string | Person, message: Uint8Array) => Promise<string>;
  /** Signs the BCS bytes of a transaction, in the same way. */
  signTransaction: (person: string | Person, bytes: Uint8Array) => Promise<string>;
  /** Combines members' separate signatures into that of a multisig, by default the treasury's. */
  combine: (signatures: string[], person?: string | Person) => string;
  holdings: (person: string | Person) => HeldNft[];
  /** Sells at the marketplace; an unlisted NFT is first listed at the given price or the floor. */
  sell: (wanted: { nftId: string; to: string | Person; priceMist?: bigint }) => Nft;
  /** Buys the cheapest listed rock that no named person sells. Throws Impossible when there is none. */
  buyCheapest: (person: string | Person) => Nft;
};

export function createWallets(world: WorldControl, keys: TreasuryKeys = 'single'): WalletControl {
  const people = walletPeople(keys);
  const find = (wanted: string | Person) => {
    const key = typeof wanted === 'string' ? wanted : wanted.address;
    const found = people.find(({ name, address }) => key === name || key.toLowerCase() === address);
    if (!found) throw new Impossible(`No such wallet: ${key}`);
    return found;
  };
  const accepted = async ({ scheme, signer }: PersonWithKey, sign: (signer: WalletSigner) => Promise<string>) => {
    const signature = await sign(signer);
    if (scheme === 'ZkLogin') world.state.acceptedZkLogins.add(signature);
    return signature;
  };
  return {
    people: () => people,
    person: find,
    sign: (wanted, message) => accepted(find(wanted), (signer) => signer.sign(message)),
    signTransaction: (wanted, bytes) => accepted(find(wanted), (signer) => signer.signTransaction(bytes)),
    combine: (signatures, wanted = treasuryName) => combined(find(wanted), signatures),
    holdings: (wanted) => nftsOfOwner(world.state, find(wanted).address).map((nft) => heldNft(world.state, nft)),
    sell: ({ nftId, to, priceMist }) => {
      const nft = findNft(world.state, nftId);
      if (!activeListing(world.state, nft.id)) {
        const price = priceMist ?? world.facts(nft.collectionKey).floorMist ?? someSui;
        world.list({ nftId: nft.id, priceMist: price });
      }
      return world.buy({ nftId: nft.id, buyer: find(to).address });
    },
    buyCheapest: (wanted) => world.buy({ nftId: cheapestRock(world.state).id, buyer: find(wanted).address }),
  };
}

function combined({ name, signer }: PersonWithKey, signatures: string[]): string {
  if (!signer.combine) throw new Impossible(`${name} signs alone`);
  try {
    return signer.combine(signatures);
  } catch (error) {
    throw new Impossible((error as Error).message);
  }
}

const someSui = 10_000_000_000n;

function cheapestRock(state: WorldState): Nft {
  const offers = state.listings.filter(
    ({ listed, collectionKey, seller }) =>
      listed && collectionKey === state.ownCollectionKey && !state.people.has(seller),
  );
  const [cheapest] = offers.toSorted((one, other) => Number((one.priceMist ?? 0n) - (other.priceMist ?? 0n)));
  if (!cheapest) throw new Impossible('No rock is for sale');
  return findNft(state, cheapest.nftId);
}

function heldNft(state: WorldState, nft: Nft): HeldNft {
  const listedAtMist = activeListing(state, nft.id)?.priceMist ?? null;
  if (nft.place.kind !== 'kiosk') return { nft, place: nft.place.kind, kioskId: null, isLocked: false, listedAtMist };
  const kiosk = findKiosk(state, nft.place.kioskId);
  return { nft, place: kiosk.capKind, kioskId: kiosk.id, isLocked: kiosk.locked.has(nft.id), listedAtMist };
}
