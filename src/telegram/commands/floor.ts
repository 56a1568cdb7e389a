import type { TrackedCollection } from '../../market/contract.ts';
import { cardOf, collectionHtml, headline, type MessageContent } from '../cards/parts.ts';
import { suiText, usdText } from '../cards/price-text.ts';
import { ageText } from '../notify/rules/time-zone.ts';
import { usdSoon } from '../sui-price.ts';
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
    answer(floorAnswer({ collection, usdPerSui: await usdSoon(prices), pollMaxMs, now: clock.now() })),
  ),
};

export interface FloorView {
  readonly collection: TrackedCollection;
  readonly usdPerSui: string | null;
  /** How long at most between two checks. */
  readonly pollMaxMs: number;
  readonly now: Date;
}

/** `13 SUI ($45.50)`, or a note that it is unknown: never a zero. */
export const floorWords = ({ collection, usdPerSui }: FloorView): string => {
  if (collection.floorMist === null) return 'floor not known';
  const usd = usdText(collection.floorMist, usdPerSui);
  return `floor ${suiText(collection.floorMist)}${usd === null ? '' : ` (${usd})`}`;
};

/** Rulings R3: a figure older than twice its refresh is marked old. */
export const asOfLine = ({ collection, pollMaxMs, now }: FloorView): string | null => {
  if (collection.lastSucceededAt === null) return 'The marketplace has not answered yet.';
  const ageMs = now.getTime() - collection.lastSucceededAt.getTime();
  return ageMs <= 2 * pollMaxMs ? null : `As of ${ageText(ageMs)} ago: the marketplace is not answering.`;
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
