import { z } from 'zod';

/** The rocks of the product's own collection (rulings R8). Amounts are MIST as digits; addresses and ids are canonical. */

const mist = z.string().regex(/^\d+$/);
const figures = { asOf: z.iso.datetime().nullable(), state: z.enum(['live', 'stale', 'unavailable']) };

export const rockSorts = ['number', 'price', 'recent'] as const;
export const rocksPageSize = 60;

const owner = z.object({
  address: z.string(),
  /** An on-chain name that points at this address; null: none, or not read yet. */
  name: z.string().nullable(),
});

const rockAnswer = z.object({
  number: z.int().min(1),
  objectId: z.string(),
  /** Untrusted text. */
  name: z.string().nullable(),
  /** One of the specification's six; null: its color attribute is not known. */
  color: z.string().nullable(),
  imageUrl: z.string().nullable(),
  /** null: not known. */
  owner: owner.nullable(),
  /** `escrow`: at the marketplace; its lister is the owner. null: not known. */
  place: z.enum(['wallet', 'kiosk', 'personal-kiosk', 'escrow']).nullable(),
  kioskId: z.string().nullable(),
  listing: z
    .object({ priceMist: mist.nullable().describe('null: not in SUI, or not known'), market: z.string().nullable() })
    .nullable(),
  lastSale: z.object({ priceMist: mist.nullable(), at: z.iso.datetime(), digest: z.string().nullable() }).nullable(),
});
export type RockAnswer = z.infer<typeof rockAnswer>;

/** One payment of a payout to the holders (rulings R9). */
const receipt = z.object({
  payout: z.int().min(1),
  /** The team's words. */
  title: z.string(),
  at: z.iso.datetime(),
  /** The payee: the rock's owner at the snapshot. */
  address: z.string(),
  coin: z.object({ type: z.string(), symbol: z.string(), decimals: z.int() }),
  /** Base units. */
  raw: z.string().regex(/^\d+$/),
  digest: z.string(),
  explorerUrl: z.string(),
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
  floorMist: mist.nullable(),
  holders: z.int().nullable().describe('null while the owners are read for the first time'),
  sales7d: z.int().nullable().describe('null while the past is still being read'),
  volume7dMist: mist
    .nullable()
    .describe('null while the past is still being read, or if none of the sales has a known price'),
});

/** GET /api/rocks. `total` counts all rocks that pass the filters. `colors` is empty until rocks have been read. */
export const rocksAnswer = z.object({
  data: z.object({
    ...figures,
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    rocks: z.array(rockAnswer),
    colors: z.array(colorAnswer),
  }),
});
export type RocksAnswer = z.infer<typeof rocksAnswer>;

/** The rocks in memory, for other parts of the product. Page addresses are complete URLs. */
export interface OwnRocks {
  readonly supply: number;
  /** null: no rock with that number is minted; undefined: no rocks have been read yet. */
  find(number: number): RockAnswer | null | undefined;
  pageOfRock(number: number): string;
  pageOfHolder(address: string): string;
  /** null: the object is not a rock of this collection. */
  pageOf(objectId: string): { readonly number: number; readonly url: string } | null;
}

export const rockEventKinds = ['mint', 'sale', 'accepted-bid', 'transfer', 'listing', 'burn'] as const;

/** GET /api/rocks/{number}. The history is newest first; `payouts` are those the rock received. */
export const rockPageAnswer = z.object({
  data: z.object({
    ...figures,
    ...rockAnswer.shape,
    history: z.array(
      z.object({
        kind: z.enum(rockEventKinds),
        at: z.iso.datetime(),
        priceMist: mist.nullable(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        digest: z.string().nullable(),
      }),
    ),
    /** False: earlier events are still being read. */
    isHistoryComplete: z.boolean(),
    payouts: z.array(receipt),
    /** The next lower and higher minted number. */
    previous: z.int().nullable(),
    next: z.int().nullable(),
  }),
});
export type RockPageAnswer = z.infer<typeof rockPageAnswer>;

/** GET /api/holders/{address}: the list is empty where the address holds no rocks. */
export const holderAnswer = z.object({
  data: z.object({
    address: z.string(),
    name: z.string().nullable(),
    ...figures,
    count: z.int(),
    rocks: z.array(rockAnswer.extend({ since: z.iso.datetime().nullable() })),
    share: z
      .object({
        usd: z.number().nullable(),
        percent: z.number().nullable(),
        asOf: z.iso.datetime().nullable(),
        state: z.enum(['live', 'stale', 'estimated', 'unavailable']),
      })
      .describe(
        "Arithmetic, not a claim: the treasury's total divided by the minted rocks, times count; asOf and state are the treasury's. null: not known",
      ),
    /** Everything the address received, whether or not it still holds the rocks; newest first. */
    payouts: z.array(receipt),
  }),
});
export type HolderAnswer = z.infer<typeof holderAnswer>;

/** The treasury's part of a share: value per rock = total / minted (rulings R3). */
export interface SharedTreasury {
  readonly totalUsdValue: number | null;
  readonly valuePerRock: { readonly mintedCount: number } | null;
  readonly figures: { readonly valuePerRock: Pick<HolderAnswer['data']['share'], 'asOf' | 'state'> };
}
