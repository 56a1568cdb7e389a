import type { TelegramConfiguration, TelegramMessage } from './telegram-calls.ts';

interface StateInWords {
  readonly word: string;
  readonly tone: Tone;
}

type Tone = 'live' | 'estimated' | 'danger' | 'quiet' | 'stale';

const wordsOfStates: Readonly<Record<NonNullable<TelegramMessage['state']>, StateInWords>> = {
  pending: { word: 'Waiting', tone: 'stale' },
  sending: { word: 'Being sent', tone: 'estimated' },
  sent: { word: 'Sent', tone: 'live' },
  failed: { word: 'Failed', tone: 'danger' },
  dropped: { word: 'Dropped', tone: 'quiet' },
};

export const stateWords = (state: TelegramMessage['state']): StateInWords =>
  state === null ? { word: 'Not known', tone: 'quiet' } : wordsOfStates[state];

const kindWords: Readonly<Record<NonNullable<TelegramMessage['kind']>, string>> = {
  card: 'Card',
  folded: 'Folded card',
  digest: 'Digest',
  recap: 'Recap',
  notice: 'Notice',
  test: 'Test',
};

/** 'Folded card of 12 events'. */
export function kindInWords({ kind, eventCount }: Pick<TelegramMessage, 'kind' | 'eventCount'>): string {
  const word = kind === null ? 'Message' : kindWords[kind];
  return eventCount !== null && eventCount > 1 ? `${word} of ${eventCount} events` : word;
}

/** Our own stable codes; any other reason is Telegram's own words and stays as is. */
const codeWords: Readonly<Record<string, string>> = {
  'configuration-deleted': 'The configuration was deleted before this was sent.',
  'configuration-replaced': 'The group was set up again before this was sent.',
  'bot-removed': 'The bot was removed from the chat before this was sent.',
};

export function reasonInWords(reason: string): string {
  if (Object.hasOwn(codeWords, reason)) return codeWords[reason] ?? reason;
  return /^[a-z]+(-[a-z0-9]+)+$/.test(reason) ? `${capital(reason.replaceAll('-', ' '))}.` : reason;
}

interface Removal {
  /** A short label beside the chat. */
  readonly badge: string;
  readonly sentence: string;
}

/** Telegram's own words if there are any: a chat not found need not have removed the bot. */
export function removalInWords(trouble: string | null): Removal {
  if (/chat not found/i.test(trouble ?? ''))
    return { badge: 'Chat not found', sentence: 'Telegram no longer finds this chat.' };
  if (/(?:group|channel|chat) was (?:deleted|deactivated)/i.test(trouble ?? ''))
    return { badge: 'Chat deleted', sentence: 'This chat was deleted.' };
  return { badge: 'Bot removed', sentence: 'The bot was removed from this chat.' };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface SourceState {
  readonly works: boolean;
  readonly text: string;
  /** ISO time for the text. null: none. */
  readonly at: string | null;
}

/** Why reading a collection's activity fails (the codes of Unavailable), for someone who can fix it. */
const failureWords: Readonly<Record<string, string>> = {
  'upstream-error': 'the marketplace reports an error of its own.',
  network: 'the marketplace cannot be reached.',
  timeout: 'the marketplace does not answer in time.',
  'rate-limited': 'the marketplace asks to slow down.',
  'malformed-answer': 'the marketplace sends answers that cannot be read.',
  'repeated-cursor': 'the marketplace sends answers that cannot be read.',
  'refused-by-upstream': 'the marketplace refuses the request.',
  'breaker-open': 'the marketplace failed several times in a row. It is tried again within a minute.',
  'answer-too-large': 'the marketplace sends more than is accepted.',
  'marketplace-query-refused': 'the marketplace refuses the request.',
  'marketplace-key-missing': 'there is no marketplace key. Set MARKET_API_USER and MARKET_API_KEY.',
  'collection-unknown': 'the marketplace does not know this collection. Set the hex ID.',
};

/** Reading the collection's activity: 'Last read', or 'Failing since the last good reading'. null: unknown. */
export function sourceState({ source }: Pick<TelegramConfiguration, 'source'>): SourceState | null {
  if (source === null) return null;
  if (source.failure !== null) {
    const why = failureWords[source.failure] ?? 'the marketplace cannot be read right now.';
    if (source.lastSucceededAt === undefined) return { works: false, text: `Failing: ${why}`, at: null };
    return source.lastSucceededAt === null
      ? { works: false, text: `Not read yet: ${why}`, at: source.lastCheckedAt ?? null }
      : { works: false, text: `Failing: ${why} Last read`, at: source.lastSucceededAt };
  }
  if (source.lastCheckedAt === undefined) return null;
  if (source.lastCheckedAt === null) return { works: true, text: 'Not read yet', at: null };
  return { works: true, text: 'Last read', at: source.lastCheckedAt };
}

const restorableForMs = 30 * 86_400_000;

/** Rulings R6: a deleted configuration can be restored for 30 days. ISO time. null: unknown. */
export function restorableUntil({ deletedAt, purgeAt }: TelegramConfiguration): string | null {
  if (purgeAt !== null) return purgeAt;
  return deletedAt === null ? null : new Date(Date.parse(deletedAt) + restorableForMs).toISOString();
}
