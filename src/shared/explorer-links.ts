/**
 * Links to a block explorer with the paths of suiscan.xyz (`/account/…`, `/checkpoint/…`, `/coin/…`, `/object/…`). Types
 * come from the chain; they are encoded, so none can change the rest of the URL.
 */
export const accountLink = (explorerUrl: string, address: string): string =>
  `${explorerUrl}/account/${encodeURIComponent(address)}`;

export const coinLink = (explorerUrl: string, coinType: string): string =>
  `${explorerUrl}/coin/${encodeURI(coinType).replace(/[?#]/g, '')}`;

/** An NFT type has no page of its own: the link leads to the package that defines it. */
export const collectionLink = (explorerUrl: string, collectionType: string): string =>
  `${explorerUrl}/object/${encodeURIComponent(collectionType.split('::')[0] ?? '')}`;

export const objectLink = (explorerUrl: string, objectId: string): string =>
  `${explorerUrl}/object/${encodeURIComponent(objectId)}`;

const collectionPage = /^https:\/\/(?:www\.)?tradeport\.xyz\/sui\/collection\/[^?#]+(\?[^#]*)?$/;

/** The link to an NFT on its collection's page at TradePort; null: the page is not at TradePort, so the link's form is unknown. */
export function nftAtMarketplace(page: string, objectId: string): string | null {
  const match = collectionPage.exec(page);
  return match === null ? null : `${page}${match[1] === undefined ? '?' : '&'}tokenId=${objectId}`;
}

export const transactionLink = (explorerUrl: string, digest: string): string =>
  `${explorerUrl}/tx/${encodeURIComponent(digest)}`;

export const checkpointLink = (explorerUrl: string, checkpoint: string): string =>
  `${explorerUrl}/checkpoint/${encodeURIComponent(checkpoint)}`;
