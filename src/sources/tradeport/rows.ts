import { z } from 'zod';
import { cleanText } from '../../shared/foreign-text.ts';
import { fromDecimalText } from '../../shared/money.ts';
import { canonicalAddress, canonicalType, suiCoinType } from '../../shared/sui-address.ts';

/** Schemas for the fields and rows of the marketplace's indexer. Texts are untrusted. */

/** The chain's own limit (u64). */
const mistMax = 2n ** 64n - 1n;

/** MIST as the indexer writes it: a number in some rows, a string in others, sometimes with a fraction of zeros. */
export const mistAmount = z.union([z.number(), z.string().max(80)]).transform((value, context) => {
  const mist = fromDecimalText(String(value), 0);
  if (mist !== null && mist >= 0n && mist <= mistMax) return mist;
  context.addIssue({ code: 'custom', message: 'not an amount of MIST' });
  return z.NEVER;
});

const firstMs = Date.UTC(1970, 0);
const lastMs = Date.UTC(9999, 11, 31);

/** `2026-11-20T10:00:00.123` without a zone is UTC (the indexer's convention); a given zone is respected. */
export const utcTime = z
  .string()
  .max(40)
  .transform((text, context) => {
    const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
    const time = new Date(hasZone ? text : `${text.replace(' ', 'T')}Z`);
    // Beyond the year 9999 JavaScript writes a plus sign, which PostgreSQL does not read.
    if (time.getTime() >= firstMs && time.getTime() <= lastMs) return time;
    context.addIssue({ code: 'custom', message: 'not a time' });
    return z.NEVER;
  });

/** Canonical. An unreadable wallet counts as unknown; the rest of the row is still used. */
export const optionalWallet = z
  .string()
  .max(100)
  .transform((text) => canonicalAddress(text))
  .nullable()
  .catch(null);

/** A count of things; the indexer sends some as strings. */
export const wholeCount = z.union([z.int().min(0), z.string().regex(/^\d{1,15}$/)]).transform(Number);

/** Text that describes but does not identify, cut to a length: if unreadable, it is null. */
export const optionalText = (lengthMax: number) =>
  z
    .string()
    .transform((text) => cleanText(text, lengthMax) || null)
    .nullable()
    .catch(null);

/** Never cut, because two identifiers may have the same beginning. */
export const identifier = (lengthMax: number) =>
  z
    .string()
    .min(1)
    .max(lengthMax)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'not an identifier');

/** The readable rows; an unreadable one does not hide the others. */
export const readableOf = <T extends z.ZodType>(row: T, rows: readonly unknown[]): z.infer<T>[] =>
  rows.flatMap((each) => {
    const parsed = row.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });

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
  .transform((row) => ({
    marketId: row.id,
    /** The on-chain type or the package address, as the marketplace writes it. */
    slug: row.slug,
    name: row.title,
    imageUrl: row.cover_url,
    /** The makers of unverified collections can set any floor they like. */
    isVerified: row.verified === true,
    // In the indexer, a floor of zero means that nothing is for sale.
    floorMist: row.floor === 0n ? null : row.floor,
    /** Rulings R3: a marketplace's supply is what exists now, not the maximum. */
    mintedCount: row.supply,
    ownerCount: row.num_owners,
  }));
/** A collection as the marketplace describes it now. */
export type MarketCollection = Readonly<z.output<typeof collectionRow>>;

/** An open offer for any NFT of a collection. */
export interface MarketBid {
  readonly marketId: string;
  readonly priceMist: bigint;
  /** null: until cancelled. */
  readonly expiresAt: Date | null;
}

export const actionFields =
  'id type price price_coin sender receiver tx_id block_time market_name nft { token_id name media_url ranking }';

/** Absent means SUI; how SUI itself is written is not documented, so every known way counts. */
const isSui = (coin: string | null): boolean =>
  coin === null || coin.trim() === '' || coin.trim().toLowerCase() === 'sui' || canonicalType(coin) === suiCoinType;

const nftRow = z
  .object({
    token_id: identifier(200),
    name: optionalText(200),
    media_url: optionalText(2_000),
    ranking: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable().catch(null),
  })
  .transform((row) => ({
    /** Canonical if it is an object id. */
    nftObjectId: canonicalAddress(row.token_id) ?? row.token_id,
    nftName: row.name,
    nftImageUrl: row.media_url,
    nftRank: row.ranking,
  }));
/** It is about the whole collection, or the indexer does not know the NFT yet. */
const noNft = { nftObjectId: null, nftName: null, nftImageUrl: null, nftRank: null };

/** An amount in another coin is stored as written, so the database must accept it. */
const amountText = z.union([z.number(), identifier(80)]).transform(String);

/** One row of `actions` with exactly `actionFields`. Ids, type, time and price must be readable; the rest need not be. */
export const actionRow = z
  .object({
    id: identifier(100),
    /** The marketplace's own type; new ones appear without notice. */
    type: identifier(60),
    price: amountText.nullable(),
    price_coin: identifier(1_000).or(z.literal('')).nullish().default(null),
    sender: optionalWallet,
    receiver: optionalWallet,
    tx_id: identifier(100).nullable(),
    block_time: utcTime,
    market_name: optionalText(60),
    nft: nftRow.nullable(),
  })
  .transform((row, context) => {
    const price = priceOf(row.price, row.price_coin);
    if (price === null) {
      context.addIssue({ code: 'custom', message: 'not a price' });
      return z.NEVER;
    }
    const { id, type, sender, receiver, nft } = row;
    const facts = { transactionDigest: row.tx_id, happenedAt: row.block_time, marketName: row.market_name };
    return { id, type, ...price, sender, receiver, ...facts, ...(nft ?? noNft) };
  });

/** One event, as the marketplace reports it. The roles of `sender` and `receiver` depend on the type. */
export type MarketAction = Readonly<z.output<typeof actionRow>>;

/** `priceMist` null: unknown, or in another coin, whose amount is kept as written. */
interface ActionPrice {
  readonly priceMist: bigint | null;
  readonly foreignCoinType: string | null;
  readonly foreignRawAmount: string | null;
}

const noPrice: ActionPrice = { priceMist: null, foreignCoinType: null, foreignRawAmount: null };

/** null: the price cannot be read. */
function priceOf(amount: string | null, coin: string | null): ActionPrice | null {
  if (amount === null) return noPrice;
  if (!isSui(coin)) return { ...noPrice, foreignCoinType: coin ?? '', foreignRawAmount: amount };
  const mist = mistAmount.safeParse(amount);
  return mist.success ? { ...noPrice, priceMist: mist.data } : null;
}
