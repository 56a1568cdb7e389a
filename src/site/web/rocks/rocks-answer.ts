import type * as z from 'zod/mini';
import { holderAnswer, rockPageAnswer, rocksAnswer, sharedTreasury } from '../../../market/rocks-contract.ts';
import { readable } from '../../../ui/api/answer-schema.ts';

/** What the pages read of GET /api/rocks, /api/rocks/{number} and /api/holders/{address} (rulings R8). null: not known. */

export const rocksPage = readable(rocksAnswer, ['rocks', 'number', 'address']);
export type ShownRocks = z.output<typeof rocksPage>;
export type ShownRock = ShownRocks['rocks'][number];
export type ShownColor = NonNullable<ShownRocks['colors']>[number];

/** A payment is left out without one of these. */
const receiptNeeds = [
  'payout',
  'title',
  'address',
  'coin',
  'symbol',
  'decimals',
  'raw',
  'payouts.digest',
  'explorerUrl',
] as const;

export const rockPage = readable(rockPageAnswer, ['number', 'kind', ...receiptNeeds]);
export type ShownRockPage = z.output<typeof rockPage>;
export type ShownReceipt = NonNullable<ShownRockPage['payouts']>[number];
export type ShownEvent = NonNullable<ShownRockPage['history']>[number];

export const holderPage = readable(holderAnswer, ['rocks', 'number', ...receiptNeeds]);
export type ShownHolder = z.output<typeof holderPage>;

/** GET /api/treasury/balance, as far as the share of a rock needs it. */
export const treasuryTotal = readable(sharedTreasury);
