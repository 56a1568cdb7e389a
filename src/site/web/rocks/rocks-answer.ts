import * as z from 'zod/mini';
import { figureState } from '../../../shared/answer-fields.ts';
import { flag, list, number, oneOf, orNull, part, rows, text, time } from '../../../ui/api/answer-schema.ts';

/** The parts of GET /api/rocks, /api/rocks/{number} and /api/holders/{address} that the pages read (rulings R8). null: not known. */

const figures = { asOf: time, state: orNull(figureState) };

/** A whole number, in base units. */
const mist = z.string().check(z.regex(/^\d{1,30}$/));

const rockFields = {
  number: z.number(),
  objectId: text,
  name: text,
  color: text,
  imageUrl: text,
  owner: part({ address: z.string(), name: text }),
  place: oneOf('wallet', 'kiosk', 'personal-kiosk', 'escrow'),
  listing: part({ priceMist: orNull(mist), market: text }),
  lastSale: part({ priceMist: orNull(mist), at: time, digest: text }),
};
const rock = z.object(rockFields);
export type ShownRock = z.infer<typeof rock>;

const color = z.object({
  color: z.string(),
  supply: number,
  minted: number,
  listed: number,
  floorMist: orNull(mist),
  holders: number,
  sales7d: number,
  volume7dMist: orNull(mist),
});
export type ShownColor = z.infer<typeof color>;

export const rocksPage = z.object({
  ...figures,
  total: number,
  page: number,
  pageSize: number,
  rocks: list(rock),
  colors: rows(color),
});
export type ShownRocks = z.infer<typeof rocksPage>;

const receipt = z.object({
  payout: z.number(),
  title: z.string(),
  at: time,
  address: z.string(),
  coin: z.object({ symbol: z.string(), decimals: z.number() }),
  raw: z.string(),
  digest: z.string(),
  explorerUrl: z.string(),
});
export type ShownReceipt = z.infer<typeof receipt>;

const rockEvent = z.object({
  kind: z.enum(['mint', 'sale', 'accepted-bid', 'transfer', 'listing', 'burn']),
  at: time,
  priceMist: orNull(mist),
  from: text,
  to: text,
  digest: text,
});
export type ShownEvent = z.infer<typeof rockEvent>;

export const rockPage = z.object({
  ...figures,
  ...rockFields,
  history: rows(rockEvent),
  isHistoryComplete: flag,
  payouts: rows(receipt),
  previous: number,
  next: number,
});
export type ShownRockPage = z.infer<typeof rockPage>;

export const holderPage = z.object({
  ...figures,
  address: z.string(),
  name: text,
  count: number,
  rocks: list(z.object({ ...rockFields, since: time })),
  payouts: rows(receipt),
});
export type ShownHolder = z.infer<typeof holderPage>;

/** GET /api/treasury/balance, as far as the share of a rock needs it. */
export const treasuryTotal = z.object({
  totalUsdValue: number,
  valuePerRock: part({ mintedCount: number }),
  figures: part({
    valuePerRock: part(figures),
  }),
});
