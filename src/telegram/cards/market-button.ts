import type { ActivityEvent } from '../../market/contract.ts';
import { canonicalAddress } from '../../shared/sui-address.ts';
import type { CardContext } from './parts.ts';
import type { MessageContent } from './message-content.ts';

const collectionPages = 'https://www.tradeport.xyz/sui/collection/';
/** Telegram refuses a message whose button has a longer URL (2,048 characters). */
const addressMaxLength = 2_000;

/** The marketplace page of the piece or of its collection. The URL is built here, whatever the slug is. */
export const marketButton = (
  { collection }: Pick<CardContext, 'collection'>,
  event: Pick<ActivityEvent, 'kind' | 'nft'> | null = null,
): Pick<MessageContent, 'buttons'> => {
  const objectId = canonicalAddress(event?.nft?.objectId ?? '');
  const piece = objectId === null ? '' : `&tokenId=${objectId}`;
  const slug = encodeURIComponent(collection.slug.toWellFormed());
  const url = `${collectionPages}${slug}?bottomTab=trades&tab=items${piece}`;
  if (/^\.*$/.test(slug) || url.length > addressMaxLength) return { buttons: [] };
  const text = event?.kind === 'listing' && objectId !== null ? 'Buy on TradePort' : 'View on TradePort';
  return { buttons: [[{ text, url }]] };
};
