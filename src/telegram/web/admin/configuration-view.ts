import { foreignText } from '../../../shared/foreign-text.ts';
import type { ShownFields } from '../../../ui/api/versioned-change.tsx';
import { whole } from '../../../ui/decimal-text.ts';
import { isFullyMinted, mintPercent } from '../../cards/mint-progress.ts';
import type { TelegramConfiguration } from './telegram-calls.ts';

/** Untrusted names (rulings R3), made safe to show: one line, no direction tricks, cut. */
export const shownCollection = ({ collectionName }: Pick<TelegramConfiguration, 'collectionName'>): string =>
  foreignText(collectionName, 60);

/** A chat without a title is named by its id. */
export const shownChat = ({ chatTitle, chatId }: Pick<TelegramConfiguration, 'chatTitle' | 'chatId'>): string =>
  chatTitle.trim() === '' ? `chat ${chatId}` : foreignText(chatTitle, 60);

/** Specification 2: the first 12 characters, with an ellipsis if cut. */
export const shownChatId = (chatId: string): string => (chatId.length <= 12 ? chatId : `${chatId.slice(0, 12)}…`);

/** Specification 9: the first 10 characters. */
export const shownCollectionId = (collectionId: string): string => collectionId.slice(0, 10);
export const isCut = (collectionId: string): boolean => collectionId.length > 10;

/** Specification 2: badges Mints, Sales, Listings, Bids, for those that are on. */
export const trackedKinds = (configuration: TelegramConfiguration): readonly string[] =>
  (
    [
      ['Mints', configuration.trackMint],
      ['Sales', configuration.trackSales],
      ['Listings', configuration.trackListings],
      ['Bids', configuration.trackBids],
    ] as const
  )
    .filter(([, isOn]) => isOn)
    .map(([name]) => name);

/** What narrows the tracking, or adds a recap: 'From 5 SUI', 'Floor listings only', 'Quiet 22:00–07:00'. */
export const trackingOptions = ({ options }: TelegramConfiguration): readonly string[] => {
  if (options === null) return [];
  const { minPriceSui, listingsAtFloorOnly, quietHours, recap } = options;
  return [
    minPriceSui === null ? [] : `From ${minPriceSui} SUI`,
    listingsAtFloorOnly === true ? 'Floor listings only' : [],
    quietHours === null ? [] : `Quiet ${quietHours}`,
    recap === null ? [] : `Daily recap ${recap}`,
  ].flat();
};

interface ShownProgress {
  readonly counts: string;
  /** 0 to 100. null: the mint count is unknown. */
  readonly percent: number | null;
  readonly isFull: boolean;
}

/** Specification 2 and 4, Progress. null: no supply is set. */
export function shownProgress({ mintStats, maxSupply }: TelegramConfiguration): ShownProgress | null {
  if (maxSupply === null || maxSupply <= 0) return null;
  const mintedCount = mintStats?.mintedCount ?? null;
  if (mintedCount === null) return { counts: `Not known / ${whole(maxSupply)}`, percent: null, isFull: false };
  return {
    counts: `${whole(mintedCount)} / ${whole(maxSupply)}`,
    percent: mintPercent(mintedCount, maxSupply),
    isFull: isFullyMinted(mintedCount, maxSupply),
  };
}

export const mintedText = ({ mintStats }: Pick<TelegramConfiguration, 'mintStats'>): string =>
  typeof mintStats?.mintedCount === 'number' ? `${whole(mintStats.mintedCount)} minted` : 'Minted count not known';

/** What needs an admin's attention: the chat, the reading of its collection, or failed messages. */
export const needsAttention = ({ chatState, source, failedCount }: TelegramConfiguration): boolean =>
  chatState === 'trouble' || chatState === 'removed' || (source?.failure ?? null) !== null || (failedCount ?? 0) > 0;

export const searchableText = (configuration: TelegramConfiguration): string =>
  [
    configuration.chatTitle,
    configuration.chatId,
    configuration.collectionName,
    configuration.collectionId,
    configuration.hexCollectionId ?? '',
  ].join('\n');

export const shownFields = (configuration: TelegramConfiguration): ShownFields => ({
  Collection: configuration.collectionName,
  'Collection ID': configuration.collectionId,
  'Hex ID': configuration.hexCollectionId ?? '',
  'Max supply': configuration.maxSupply === null ? '' : String(configuration.maxSupply),
  Tracking: trackedKinds(configuration).join(', '),
  'Minted count': String(configuration.mintStats?.mintedCount ?? ''),
});
