import { cardOf, collectionHtml, headline, type MessageContent } from '../cards/message-html.ts';
import { type Command, inTrackedGroup } from './command.ts';
import { asOfLine, type CollectionView, floorWords, listedWords } from './texts/collection-texts.ts';

/** The known floor price, from the database alone. */
export const floor: Command = {
  name: 'floor',
  who: 'anyone',
  where: 'groups',
  menuLine: 'The floor price right now',
  page: { text: 'The floor price of the collection right now, in SUI.' },
  handle: inTrackedGroup(
    async ({ collection }, { answer }, { prices, clock, config: { TRACKER_POLL_MAX_MS: pollMaxMs } }) =>
      answer(floorAnswer({ collection, usdPerSui: await prices(), pollMaxMs, now: clock.now() })),
  ),
};

interface FloorView extends CollectionView {
  readonly usdPerSui: string | null;
}

export const floorAnswer = (view: FloorView): MessageContent =>
  cardOf([
    headline('🏷', `<b>${collectionHtml(view.collection.name)}: ${floorWords(view.collection, view.usdPerSui)}</b>`),
    listedWords(view.collection),
    view.collection.floorMist === null ? 'Perhaps nothing is listed for SUI.' : null,
    asOfLine(view),
  ]);
