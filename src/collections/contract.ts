import { z } from 'zod';

/**
 * What is true of the product's own collection now. A fact that is not known is null and is left out of the page,
 * never invented (rulings R3).
 */
export const collectionFactsAnswer = z.object({
  data: z.object({
    collectionType: z.string(),
    name: z.string().nullable(),
    mintedCount: z.int().nullable(),
    maxSupply: z.int(),
    floorSui: z.number().nullable(),
    listedCount: z.int().nullable(),
    holderCount: z.int().nullable(),
    asOf: z.iso.datetime().nullable(),
    source: z.string(),
    state: z.enum(['live', 'stale', 'unavailable']),
  }),
});
/** GET /api/collection. */
export type CollectionFactsAnswer = z.infer<typeof collectionFactsAnswer>;
