import { z } from 'zod';
import { canonicalAddress, canonicalType, suiCoinType } from '../../shared/sui-address.ts';
import { identifier, optionalText, mistAmount, optionalWallet, utcTime } from './market-values.ts';

/** One event, as the marketplace reports it. Texts are untrusted. */
export interface MarketAction {
  readonly id: string;
  /** The marketplace's own word; new ones appear without notice. */
  readonly type: string;
  /** null: unknown, or in another coin. */
  readonly priceMist: bigint | null;
  readonly foreignPrice: { readonly coinType: string; readonly rawAmount: string } | null;
  /** Canonical addresses; who is who depends on the type. */
  readonly sender: string | null;
  readonly receiver: string | null;
  readonly transactionDigest: string | null;
  readonly happenedAt: Date;
  readonly marketName: string | null;
  /** null: about the whole collection, or the indexer does not know the piece yet. */
  readonly nft: MarketNft | null;
}

interface MarketNft {
  /** Canonical where it is an object id. */
  readonly objectId: string;
  readonly name: string | null;
  readonly imageUrl: string | null;
  readonly rank: number | null;
}

export const actionFields =
  'id type price price_coin sender receiver tx_id block_time market_name nft { token_id name media_url ranking }';

/** Reference: absent means SUI; how SUI itself is written is not documented, so every known way counts. */
const isSui = (coin: string | null): boolean =>
  coin === null || coin.trim() === '' || coin.trim().toLowerCase() === 'sui' || canonicalType(coin) === suiCoinType;

const nftRow = z
  .object({
    token_id: identifier(200),
    name: optionalText(200),
    media_url: optionalText(2_000),
    ranking: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable().catch(null),
  })
  .transform((row): MarketNft => ({
    objectId: canonicalAddress(row.token_id) ?? row.token_id,
    name: row.name,
    imageUrl: row.media_url,
    rank: row.ranking,
  }));

/** One in another coin is kept as it is written, so it must be one that the database takes. */
const amountText = z.union([z.number(), identifier(80)]).transform(String);

/** One row of `actions` with exactly `actionFields`. What names the event and its price must be readable; the rest need not. */
export const actionRow = z
  .object({
    id: identifier(100),
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
  .transform((row, context): MarketAction => {
    const price = priceOf(row.price, row.price_coin);
    if (price === null) {
      context.addIssue({ code: 'custom', message: 'no price' });
      return z.NEVER;
    }
    const { id, type, sender, receiver, nft } = row;
    const facts = { transactionDigest: row.tx_id, happenedAt: row.block_time, marketName: row.market_name };
    return { id, type, ...price, sender, receiver, ...facts, nft };
  });

/** Another coin's amount is kept as it is written, never counted as SUI. null: no price that can be read. */
function priceOf(amount: string | null, coin: string | null): Pick<MarketAction, 'priceMist' | 'foreignPrice'> | null {
  if (amount === null) return { priceMist: null, foreignPrice: null };
  if (!isSui(coin)) return { priceMist: null, foreignPrice: { coinType: coin ?? '', rawAmount: amount } };
  const mist = mistAmount.safeParse(amount);
  return mist.success ? { priceMist: mist.data, foreignPrice: null } : null;
}
