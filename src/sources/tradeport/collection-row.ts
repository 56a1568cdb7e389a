import { z } from 'zod';
import { identifier, optionalText, mistAmount, wholeCount } from './market-values.ts';

/** A collection as the marketplace describes it now. Texts are untrusted. */
export interface MarketCollection {
  readonly id: string;
  /** The on-chain type or the package address, as the marketplace writes it. */
  readonly slug: string;
  readonly title: string | null;
  readonly imageUrl: string | null;
  /** Floors of unverified collections are what their makers like them to be. */
  readonly isVerified: boolean;
  readonly floorMist: bigint | null;
  /** What exists now, not the maximum. */
  readonly supply: number | null;
  readonly ownerCount: number | null;
}

export const collectionFields = 'id title slug floor supply num_owners cover_url verified';

/** One row of `collections` with exactly `collectionFields`. */
export const collectionRow = z
  .object({
    id: identifier(100),
    slug: identifier(2_000),
    title: optionalText(200),
    cover_url: optionalText(2_000),
    floor: mistAmount.nullable(),
    supply: wholeCount.nullable(),
    num_owners: wholeCount.nullable(),
    verified: z.boolean().nullable(),
  })
  .transform((row): MarketCollection => ({
    id: row.id,
    slug: row.slug,
    title: row.title,
    imageUrl: row.cover_url,
    isVerified: row.verified === true,
    // A floor of zero is the indexer's way to say that nothing is for sale.
    floorMist: row.floor === 0n ? null : row.floor,
    supply: row.supply,
    ownerCount: row.num_owners,
  }));
