import * as z from 'zod/mini';
import { described, figureState, webLink } from '../shared/answer-fields.ts';

/** The rocks of the product's own collection (rulings R8). Amounts are MIST as digits; addresses and ids are canonical. */

const mist = z.string().check(
  z.regex(/^\d+$/),
  z.refine(({ length }) => length <= 30),
);
const figures = { asOf: z.nullable(z.iso.datetime()), state: z.enum(['live', 'stale', 'unavailable']) };

export const rockSorts = ['number', 'price', 'recent'] as const;
export const rocksPageSize = 60;

const owner = z.object({
  address: z.string(),
  /** An on-chain name that points at this address; null: none, or not read yet. */
  name: z.nullable(z.string()),
});

const rockAnswer = z.object({
  number: z.int().check(z.gte(1)),
  objectId: z.string(),
  /** Untrusted text. */
  name: z.nullable(z.string()),
  /** One of the specification's six; null: its color attribute is not known. */
  color: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  /** null: not known. */
  owner: z.nullable(owner),
  /** `escrow`: at the marketplace; its lister is the owner. null: not known. */
  place: z.nullable(z.enum(['wallet', 'kiosk', 'personal-kiosk', 'escrow'])),
  kioskId: z.nullable(z.string()),
  listing: z.nullable(
    z.object({
      priceMist: described(z.nullable(mist), 'null: not in SUI, or not known'),
      market: z.nullable(z.string()),
    }),
  ),
  lastSale: z.nullable(z.object({ priceMist: z.nullable(mist), at: z.iso.datetime(), digest: z.nullable(z.string()) })),
});
export type RockAnswer = z.infer<typeof rockAnswer>;

/** One payment of a payout to the holders (rulings R9). */
const receipt = z.object({
  payout: z.int().check(z.gte(1)),
  /** The team's words. */
  title: z.string(),
  at: z.iso.datetime(),
  /** The payee: the rock's owner at the snapshot. */
  address: z.string(),
  coin: z.object({ type: z.string(), symbol: z.string(), decimals: z.int() }),
  /** Base units. */
  raw: mist,
  digest: z.string(),
  explorerUrl: webLink,
});
export type Receipt = z.infer<typeof receipt>;

/** What was paid out, newest first. */
export interface ReceiptSource {
  ofRock(number: number): readonly Receipt[];
  ofAddress(address: string): readonly Receipt[];
}

const colorAnswer = z.object({
  color: z.string(),
  /** In the whole collection, by the specification. */
  supply: z.int(),
  minted: z.int(),
  listed: z.int(),
  floorMist: z.nullable(mist),
  holders: described(z.nullable(z.int()), 'null while the owners are read for the first time'),
  sales7d: described(z.nullable(z.int()), 'null while the past is still being read'),
  volume7dMist: described(
    z.nullable(mist),
    'null while the past is still being read, or if none of the sales has a known price',
  ),
});

/** GET /api/rocks. `total` counts all rocks that pass the filters. `colors` is empty until rocks have been read. */
export const rocksAnswer = z.object({
  ...figures,
  total: z.int(),
  page: z.int(),
  pageSize: z.int(),
  rocks: z.array(rockAnswer),
  colors: z.array(colorAnswer),
});
export type RocksAnswer = z.infer<typeof rocksAnswer>;

/** A rock, and the age of what is known about it. */
export type AgedRock = RockAnswer & Pick<RocksAnswer, 'asOf' | 'state'>;

/** The rocks in memory, for other parts of the product. Page addresses are complete URLs. */
export interface OwnRocks {
  readonly supply: number;
  /** null: no rock with that number is minted; undefined: no rocks have been read yet. */
  find(number: number): AgedRock | null | undefined;
  pageOfRock(number: number): string;
  pageOfHolder(address: string): string;
  /** null: the object is not a rock of this collection. */
  pageOf(objectId: string): { readonly number: number; readonly url: string } | null;
}

export const rockEventKinds = ['mint', 'sale', 'accepted-bid', 'transfer', 'listing', 'burn'] as const;

/** GET /api/rocks/{number}. The history is newest first; `payouts` are those the rock received. */
export const rockPageAnswer = z.object({
  ...figures,
  ...rockAnswer.shape,
  history: z.array(
    z.object({
      kind: z.enum(rockEventKinds),
      at: z.iso.datetime(),
      priceMist: z.nullable(mist),
      from: z.nullable(z.string()),
      to: z.nullable(z.string()),
      digest: z.nullable(z.string()),
    }),
  ),
  /** False: earlier events are still being read. */
  isHistoryComplete: z.boolean(),
  payouts: z.array(receipt),
  /** The next lower and higher minted number. */
  previous: z.nullable(z.int()),
  next: z.nullable(z.int()),
});
export type RockPageAnswer = z.infer<typeof rockPageAnswer>;

/** GET /api/holders/{address}: the list is empty where the address holds no rocks. */
export const holderAnswer = z.object({
  address: z.string(),
  name: z.nullable(z.string()),
  ...figures,
  count: z.int(),
  rocks: z.array(z.extend(rockAnswer, { since: z.nullable(z.iso.datetime()) })),
  share: described(
    z.object({
      usd: z.nullable(z.number()),
      percent: z.nullable(z.number()),
      asOf: z.nullable(z.iso.datetime()),
      state: figureState,
    }),
    "Arithmetic, not a claim: the treasury's total divided by the minted rocks, times count; asOf and state are the treasury's. null: not known",
  ),
  /** Everything the address received, whether or not it still holds the rocks; newest first. */
  payouts: z.array(receipt),
});
export type HolderAnswer = z.infer<typeof holderAnswer>;

/** The treasury's part of a share: value per rock = total / minted (rulings R3). */
export const sharedTreasury = z.object({
  totalUsdValue: z.nullable(z.number()),
  valuePerRock: z.nullable(z.object({ mintedCount: z.int() })),
  figures: z.object({ valuePerRock: z.object({ asOf: z.nullable(z.iso.datetime()), state: figureState }) }),
});
export type SharedTreasury = z.infer<typeof sharedTreasury>;
