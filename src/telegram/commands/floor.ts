import type { TrackedCollection } from '../../market/contract.ts';
import { cardOf, collectionHtml, headline, type MessageContent } from '../cards/parts.ts';
import { suiText } from '../../shared/money.ts';
import { usdText } from '../cards/price-text.ts';
import { ageText } from '../notify/rules/time-zone.ts';
import { type Command, inTrackedGroup } from './command.ts';

/** The known floor price, from the database alone. */
export const floor: Command = {
  name: 'floor',
  who: 'anyone',
  where: 'groups',
  menuLine: 'The floor price right now',
  page: { text: 'The floor price of the collection right now, in SUI.' },
  dashboard: 'Shows the floor price right now',
  handle: inTrackedGroup(async ({ collection }, { answer }, { prices, clock, settings: { pollMaxMs } }) =>
    answer(floorAnswer({ collection, usdPerSui: await prices(), pollMaxMs, now: clock.now() })),
  ),
};

export interface FloorView {
  readonly collection: TrackedCollection;
  readonly usdPerSui: string | null;
  readonly pollMaxMs: number;
  readonly now: Date;
}

/** `13 SUI ($45.50)`, or a note that it is unknown: never a zero. */
export const floorWords = ({ collection, usdPerSui }: FloorView): string => {
  if (collection.floorMist === null) return 'floor not known';
  const usd = usdText(collection.floorMist, usdPerSui);
  return `floor ${suiText(collection.floorMist)}${usd === null ? '' : ` (${usd})`}`;
};

/** Codes of Unavailable that mean no answer came; with any other, the marketplace answered. */
const silentReasons: ReadonlySet<string> = new Set(['network', 'timeout', 'rate-limited', 'upstream-error']);

/** Why nothing newer is known, by who can do something about it. */
function failureOf({ failingSince }: TrackedCollection): keyof typeof failureWords {
  if (failingSince === null) return 'none';
  if (failingSince.reason === 'collection-unknown') return 'unknown-collection';
  return silentReasons.has(failingSince.reason) ? 'silent' : 'unreadable';
}

const failureWords = {
  none: 'nothing newer has been read yet.',
  silent: 'the marketplace is not answering.',
  // The collection has another address there, or was dropped.
  'unknown-collection':
    'the marketplace no longer knows this collection. If it has a new address there, a group admin can send /setup with it.',
  unreadable: 'the marketplace cannot be read right now.',
} as const;

export const failureSentence = (collection: TrackedCollection): string => failureWords[failureOf(collection)];

/** Rulings R3: a figure older than twice its refresh is marked old. */
export const asOfLine = ({ collection, pollMaxMs, now }: FloorView): string | null => {
  if (collection.lastSucceededAt === null) return 'The marketplace has not been read yet.';
  const ageMs = now.getTime() - collection.lastSucceededAt.getTime();
  return ageMs <= 2 * pollMaxMs ? null : `As of ${ageText(ageMs)} ago: ${failureSentence(collection)}`;
};

export const listedWords = ({ listedCount }: TrackedCollection): string | null =>
  listedCount === null ? null : `${listedCount} listed`;

export const floorAnswer = (view: FloorView): MessageContent =>
  cardOf([
    headline('🏷', `<b>${collectionHtml(view.collection.name)}: ${floorWords(view)}</b>`),
    listedWords(view.collection),
    view.collection.floorMist === null ? 'Perhaps nothing is listed for SUI.' : null,
    asOfLine(view),
  ]);
