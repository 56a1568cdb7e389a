import type { ChainOwner, ChainTransaction, ChangedObject } from '../../src/sources/sui/chain-transaction.ts';

/**
 * A small chain on which a treasury trades, and the truth about it, recorded separately from its transactions. Nothing here knows how the
 * product reads a chain.
 */
export const padded = (digits: string): string => `0x${digits.padStart(64, '0')}`;
export const treasuryAddress = padded('7');
export const suiType = `${padded('2')}::sui::SUI`;
export const rockType = `${padded('555')}::rock::Rock`;
export const batType = `${padded('ba7')}::bat::Bat`;
export const kioskCapType = `${padded('2')}::kiosk::KioskOwnerCap`;
export const kioskType = `${padded('2')}::kiosk::Kiosk`;
const listingType = `${padded('11')}::listing::Listing`;
const fieldType = `${padded('2')}::dynamic_field::Field`;
const gasMist = 1_000_000n;

export type Home = { kind: 'wallet'; address: string } | { kind: 'kiosk'; kioskId: string } | { kind: 'escrow' };

/** A piece that the treasury bought, and its proceeds once sold. */
interface Bought {
  readonly objectId: string;
  readonly cost: bigint;
  proceeds: bigint | null;
}

export interface Truth {
  readonly transactions: readonly ChainTransaction[];
  /** By digest: what each of the treasury's transactions was. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly balances: ReadonlyMap<string, bigint>;
  /** The pieces in its wallet, in its kiosks, or listed by it. */
  readonly pieces: ReadonlySet<string>;
  readonly bought: readonly Bought[];
}

export type TreasuryWorld = ReturnType<typeof createTreasuryWorld>;

export function createTreasuryWorld() {
  const transactions: ChainTransaction[] = [];
  const kinds = new Map<string, string>();
  const balances = new Map<string, bigint>();
  const homes = new Map<string, Home>();
  const types = new Map<string, string>();
  const bought: Bought[] = [];
  /** Proceeds of sales in kiosks that have not been withdrawn yet. */
  let waiting: { price: bigint; lot: Bought | null }[] = [];
  const ownKiosks: string[] = [];
  let ids = 0;
  const newId = (): string => padded(`f${(ids += 1).toString(16).padStart(6, '0')}`);
  const openLot = (objectId: string): Bought | null =>
    bought.findLast((each) => each.objectId === objectId && each.proceeds === null) ?? null;

  /** Executes changes of balances, by address and coin, and of objects; gas is added. */
  const execute = (
    sender: string,
    kind: string | null,
    moves: readonly (readonly [string, string, bigint])[],
    objects: readonly ChangedObject[] = [],
  ): void => {
    const sums = new Map<string, bigint>();
    for (const [address, coin, raw] of [...moves, [sender, suiType, -gasMist] as const]) {
      const key = `${address} ${coin}`;
      sums.set(key, (sums.get(key) ?? 0n) + raw);
      if (address === treasuryAddress) balances.set(coin, (balances.get(coin) ?? 0n) + raw);
    }
    const digest = `digest ${transactions.length}`;
    // Three to a checkpoint, so that pages end within one.
    const checkpoint = BigInt(Math.floor(transactions.length / 3));
    transactions.push({
      digest,
      checkpoint,
      position: transactions.length % 3,
      at: new Date(Number(checkpoint) * 60_000),
      sender,
      gasPayer: sender,
      gasMist,
      balanceChanges: [...sums].map(([key, raw]) => {
        const [address = '', coinType = ''] = key.split(' ');
        return { address, coinType, raw };
      }),
      objects,
    });
    if (kind !== null) kinds.set(digest, kind);
  };

  const ownerIn = (home: Home, fieldId: string, listingId: string): ChainOwner => {
    if (home.kind === 'wallet') return home;
    return { kind: 'object', objectId: home.kind === 'kiosk' ? fieldId : listingId };
  };
  /** The objects that change on the chain when a piece moves to another home, or is created there. */
  const moving = (objectId: string, to: Home): readonly ChangedObject[] => {
    const from = homes.get(objectId) ?? null;
    homes.set(objectId, to);
    const [fieldId, listingId] = [`${objectId} field`, `${objectId} listing`];
    const inside = (home: Home | null, side: 'before' | 'after'): readonly ChangedObject[] => {
      if (home?.kind !== 'kiosk') return [];
      const field: ChainOwner = { kind: 'object', objectId: home.kioskId };
      const [before, after] = side === 'before' ? [field, null] : [null, field];
      return [
        {
          objectId: fieldId,
          objectType: fieldType,
          before,
          after,
          isCreated: before === null,
          isDeleted: after === null,
        },
        {
          objectId: home.kioskId,
          objectType: kioskType,
          before: none,
          after: none,
          isCreated: false,
          isDeleted: false,
        },
      ];
    };
    const listing = (home: Home | null): readonly ChangedObject[] =>
      home?.kind === 'escrow'
        ? [
            {
              objectId: listingId,
              objectType: listingType,
              before: none,
              after: none,
              isCreated: false,
              isDeleted: false,
            },
          ]
        : [];
    const piece = {
      objectId,
      objectType: types.get(objectId) ?? batType,
      before: from === null ? null : ownerIn(from, fieldId, listingId),
      after: ownerIn(to, fieldId, listingId),
      isCreated: from === null,
      isDeleted: false,
    };
    return [piece, ...inside(from, 'before'), ...inside(to, 'after'), ...listing(from), ...listing(to)];
  };

  const isOurs = (home: Home): boolean =>
    home.kind === 'escrow' ||
    (home.kind === 'wallet' ? home.address === treasuryAddress : ownKiosks.includes(home.kioskId));

  return {
    execute,
    moving,
    newId,
    ownKiosks,
    bought,
    addPiece: (objectType: string): string => {
      const objectId = newId();
      types.set(objectId, objectType);
      return objectId;
    },
    /** One of the treasury's pieces at this kind of place; undefined: there is none. */
    ownPiece: (kind: Home['kind'], pick: number): string | undefined => {
      const fitting = [...homes].filter(([, home]) => home.kind === kind && isOurs(home));
      return fitting[pick % Math.max(1, fitting.length)]?.[0];
    },
    sold: (objectId: string, price: bigint): void => {
      const lot = openLot(objectId);
      if (lot !== null) lot.proceeds = price;
    },
    soldInKiosk: (objectId: string, price: bigint): void => {
      waiting.push({ price, lot: openLot(objectId) });
    },
    /** Withdraws all proceeds from kiosks, in equal parts for the pieces sold. */
    takeProfits: (): bigint => {
      const total = waiting.reduce((sum, { price }) => sum + price, 0n);
      const count = BigInt(waiting.length);
      for (const [index, { lot }] of waiting.entries()) {
        if (lot !== null) lot.proceeds = total / count + (BigInt(index) < total % count ? 1n : 0n);
      }
      waiting = [];
      return total;
    },
    truth: (): Truth => ({
      transactions,
      kinds,
      balances,
      pieces: new Set([...homes].flatMap(([objectId, home]) => (isOurs(home) ? [objectId] : []))),
      bought,
    }),
  };
}

const none: ChainOwner = { kind: 'none' };
