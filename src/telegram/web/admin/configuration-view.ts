import { decimalText } from '../../../web/decimal-text.ts';
import type { TelegramConfiguration } from '../../contract.ts';
import { isFullyMinted, mintPercent } from '../../core/mint-progress.ts';

/** Specification 9: the first 12 characters, plus an ellipsis. */
export const shownChatId = (chatId: string): string => `${chatId.slice(0, 12)}…`;

/** Specification 9: the first 10 characters. */
export const shownCollectionId = (collectionId: string): string => collectionId.slice(0, 10);

/** Specification 2: badges Mints, Sales, Listings, Bids; those that are on. */
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

/** What narrows the tracking down, or adds a recap: 'From 5 SUI', 'Floor listings only', 'Quiet 22:00–07:00'. */
export const trackingOptions = ({ options }: TelegramConfiguration): readonly string[] => {
  if (options === undefined) return [];
  const { minPriceSui, listingsAtFloorOnly, quietHours, recap } = options;
  return [
    minPriceSui === null ? [] : `From ${minPriceSui} SUI`,
    listingsAtFloorOnly ? 'Floor listings only' : [],
    quietHours === null ? [] : `Quiet ${quietHours}`,
    recap === null ? [] : `Daily recap ${recap}`,
  ].flat();
};

export interface ShownProgress {
  /** '480 / 555'. */
  readonly counts: string;
  /** 0 to 100. */
  readonly percent: number;
  readonly isFull: boolean;
}

const whole = (count: number): string => decimalText(count, { max: 0 });

/** Specification 2 and 4, Progress. null: no supply is set. */
export function shownProgress({ mintStats, maxSupply }: TelegramConfiguration): ShownProgress | null {
  if (maxSupply === null || maxSupply <= 0) return null;
  const { mintedCount } = mintStats;
  return {
    counts: `${whole(mintedCount)} / ${whole(maxSupply)}`,
    percent: mintPercent(mintedCount, maxSupply),
    isFull: isFullyMinted(mintedCount, maxSupply),
  };
}

export const mintedText = (mintedCount: number): string => `${whole(mintedCount)} minted`;

/** Something that an admin should look at: the chat, the reading of its collection, or messages that failed. */
export const needsAttention = ({ chatState, source, failedCount }: TelegramConfiguration): boolean =>
  chatState !== 'ok' || source.failure !== null || failedCount > 0;

const searchable = (configuration: TelegramConfiguration): string =>
  [
    configuration.chatTitle,
    configuration.chatId,
    configuration.collectionName,
    configuration.collectionId,
    configuration.hexCollectionId ?? '',
  ]
    .join('\n')
    .toLowerCase();

/** Those that contain every word of the search, in any of their names and ids. */
export function matching(
  configurations: readonly TelegramConfiguration[],
  search: string,
): readonly TelegramConfiguration[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return configurations;
  return configurations.filter((configuration) => {
    const text = searchable(configuration);
    return words.every((word) => text.includes(word));
  });
}

/** Ten thousand rows at once would freeze the page. */
const rowsPerPage = 50;

export interface ShownPage<Row> {
  readonly rows: readonly Row[];
  /** From 0; the last page where the wished one is gone. */
  readonly page: number;
  readonly pageCount: number;
  /** '51 to 100 of 10,000'. */
  readonly range: string;
}

export function pageOf<Row>(rows: readonly Row[], wishedPage: number): ShownPage<Row> {
  const pageCount = Math.max(1, Math.ceil(rows.length / rowsPerPage));
  const page = Math.min(Math.max(0, wishedPage), pageCount - 1);
  const from = page * rowsPerPage;
  const shown = rows.slice(from, from + rowsPerPage);
  const range = `${whole(Math.min(from + 1, rows.length))} to ${whole(from + shown.length)} of ${whole(rows.length)}`;
  return { rows: shown, page, pageCount, range };
}
