import { foreignText } from '../../../shared/foreign-text.ts';
import type { ShownFields } from '../../../ui/api/versioned-change.tsx';
import { wholeNumberText } from '../../../ui/decimal-text.ts';
import { isFullyMinted, mintPercent } from '../../cards/mint-progress.ts';
import type { TelegramConfiguration, TelegramMessage } from './telegram-calls.ts';

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

/** Specification 2 and 4, Progress; `percent` null: the mint count is unknown. null: no supply is set. */
export function shownProgress({ mintStats, maxSupply }: TelegramConfiguration) {
  if (maxSupply === null || maxSupply <= 0) return null;
  const mintedCount = mintStats?.mintedCount ?? null;
  if (mintedCount === null)
    return { counts: `Not known / ${wholeNumberText(maxSupply)}`, percent: null, isFull: false };
  return {
    counts: `${wholeNumberText(mintedCount)} / ${wholeNumberText(maxSupply)}`,
    percent: mintPercent(mintedCount, maxSupply),
    isFull: isFullyMinted(mintedCount, maxSupply),
  };
}

export function mintedText({ mintStats }: Pick<TelegramConfiguration, 'mintStats'>): string {
  const mintedCount = mintStats?.mintedCount ?? null;
  return mintedCount === null ? 'Minted count not known' : `${wholeNumberText(mintedCount)} minted`;
}

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

const wordsOfStates = {
  pending: { word: 'Waiting', tone: 'stale' },
  sending: { word: 'Being sent', tone: 'estimated' },
  sent: { word: 'Sent', tone: 'live' },
  failed: { word: 'Failed', tone: 'danger' },
  dropped: { word: 'Dropped', tone: 'quiet' },
  unknown: { word: 'Not known', tone: 'quiet' },
} as const;

export const stateWords = (state: TelegramMessage['state']) => wordsOfStates[state ?? 'unknown'];

const kindWords = {
  card: 'Card',
  folded: 'Folded card',
  digest: 'Digest',
  recap: 'Recap',
  notice: 'Notice',
  test: 'Test',
  unknown: 'Message',
} as const;

/** 'Folded card of 12 events'. */
export function kindInWords({ kind, eventCount }: Pick<TelegramMessage, 'kind' | 'eventCount'>): string {
  const word = kindWords[kind ?? 'unknown'];
  return eventCount !== null && eventCount > 1 ? `${word} of ${eventCount} events` : word;
}

/** Our own stable codes; any other reason is Telegram's own words and stays as is. */
const codeWords: ReadonlyMap<string, string> = new Map([
  ['configuration-deleted', 'The configuration was deleted before this was sent.'],
  ['configuration-replaced', 'The group was set up again before this was sent.'],
  ['hex-id-changed', 'The hex ID was changed before this was sent.'],
  ['bot-removed', 'The bot was removed from the chat before this was sent.'],
  ['in-digest', 'It was posted in a digest instead.'],
]);

export const reasonInWords = (reason: string): string => codeWords.get(reason) ?? reason;

/** A short label and a sentence, by Telegram's own words: a chat that is not found need not have removed the bot. */
export function removalInWords(trouble: string | null) {
  if (/chat not found/i.test(trouble ?? ''))
    return { badge: 'Chat not found', sentence: 'Telegram no longer finds this chat.' };
  if (/(?:group|channel|chat) was (?:deleted|deactivated)/i.test(trouble ?? ''))
    return { badge: 'Chat deleted', sentence: 'This chat was deleted.' };
  return { badge: 'Bot removed', sentence: 'The bot was removed from this chat.' };
}

/** Why reading a collection's activity fails (the codes of Unavailable), for someone who can fix it. */
const failureWords: Readonly<Record<string, string>> = {
  'upstream-error': 'the marketplace reports an internal error.',
  network: 'the marketplace cannot be reached.',
  timeout: 'the marketplace does not answer in time.',
  'rate-limited': 'the marketplace asks to slow down.',
  'marketplace-key-refused':
    'the marketplace refuses the key. Check MARKET_API_USER and MARKET_API_KEY and restart the product.',
  'marketplace-key-missing': 'there is no marketplace key. Set MARKET_API_USER and MARKET_API_KEY.',
  'collection-unknown': 'the marketplace does not know this collection. Set the hex ID.',
};

/** Reading the collection's activity: 'Last read', or 'Failing since the last good reading', and that ISO time. null: unknown. */
export function sourceState({ source }: Pick<TelegramConfiguration, 'source'>) {
  if (source === null) return null;
  const { failure, lastCheckedAt, lastSucceededAt } = source;
  if (failure === null) {
    if (lastCheckedAt === undefined) return null;
    if (lastCheckedAt === null) return { works: true, text: 'Not read yet', at: null };
    return { works: true, text: 'Last read', at: lastCheckedAt };
  }
  const why = failureWords[failure] ?? 'the marketplace cannot be read right now.';
  if (lastSucceededAt === undefined) return { works: false, text: `Failing: ${why}`, at: null };
  if (lastSucceededAt === null) return { works: false, text: `Not read yet: ${why}`, at: lastCheckedAt ?? null };
  return { works: false, text: `Failing: ${why} Last read`, at: lastSucceededAt };
}
