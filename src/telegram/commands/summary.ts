import type { ActivitySummary } from '../../market/contract.ts';
import {
  type CardContext,
  cardOf,
  collectionHtml,
  headline,
  joined,
  type Line,
  type MessageContent,
} from '../cards/parts.ts';
import { progressText } from '../cards/mint-progress.ts';
import { otherCountsLine, salesWords, topSaleLine } from '../cards/cards-of-many.ts';
import { spanText } from '../notify/rules/time-zone.ts';
import { type Command, inTrackedGroup } from './command.ts';
import { asOfLine, type FloorView, floorWords, listedWords } from './floor.ts';

const dayMs = 86_400_000;

/** The state of the collection in one card, from the database alone. */
export const summary: Command = {
  name: 'summary',
  who: 'anyone',
  where: 'groups',
  menuLine: 'The state of the collection in one card',
  page: { text: 'The state of the collection in one card: minted so far, floor, listings and recent sales.' },
  dashboard: 'Shows the state of the collection in one card',
  handle: inTrackedGroup(async ({ collection, configuration }, { answer }, deps) => {
    const { history, prices, clock, settings } = deps;
    const { explorerUrl, pollMaxMs } = settings;
    const { mintedCount, maxSupply, createdAt: setUpAt, timeZone } = configuration;
    const now = clock.now();
    const [day, total, usdPerSui] = await Promise.all([
      history.summary(collection.id, new Date(now.getTime() - dayMs)),
      history.summary(collection.id, setUpAt),
      prices(),
    ]);
    const group = { setUpAt, timeZone, mintedCount, maxSupply };
    return answer(summaryAnswer({ collection, day, total, ...group, explorerUrl, usdPerSui, pollMaxMs, now }));
  }),
};

interface SummaryView extends FloorView {
  readonly day: ActivitySummary;
  /** Since the group was set up, or as far back as is known. Earlier activity is not the group's own history. */
  readonly total: ActivitySummary;
  readonly setUpAt: Date;
  readonly timeZone: string;
  readonly mintedCount: number;
  readonly maxSupply: number | null;
  readonly explorerUrl: string;
}

/** If less than a whole day is known, shows the group's own span instead of calling it a day. */
const pastLines = (
  { day, total, now, usdPerSui, setUpAt, timeZone }: SummaryView,
  context: CardContext,
): readonly Line[] => {
  if (day.completeSince === null || day.completeUntil === null || total.completeSince === null)
    return ['Past sales are still being read. Please ask again in a minute.'];
  const dayAgoMs = now.getTime() - dayMs;
  const isWholeDay = day.completeSince.getTime() <= dayAgoMs;
  const shown = isWholeDay ? day : total;
  const since = `Since ${spanText([total.completeSince], timeZone) ?? ''}`;
  const ofGroup = total.completeSince.getTime() <= setUpAt.getTime() ? 'Since this group was set up' : since;
  const totalLine = !isWholeDay || total.saleCount === 0 ? null : `${ofGroup}: ${salesWords(total, usdPerSui)}`;
  // An outage is never a zero (rulings R3).
  if (day.completeUntil.getTime() <= dayAgoMs) return ['The last 24 hours are not known.', totalLine];
  return [
    `${isWholeDay ? 'Last 24 hours' : since}: ${salesWords(shown, usdPerSui)}`,
    otherCountsLine(shown),
    topSaleLine(shown.topSale, context),
    totalLine,
  ];
};

export const summaryAnswer = (view: SummaryView): MessageContent => {
  const { collection } = view;
  const context: CardContext = { ...view, floorBeforeMist: null };
  const ownerWords: Line = collection.ownerCount === null ? null : `${collection.ownerCount} owners`;
  return cardOf([
    headline('📊', `<b>${collectionHtml(collection.name)} today: ${floorWords(view)}</b>`),
    ...pastLines(view, context),
    joined([listedWords(collection), ownerWords]),
    progressText(view.mintedCount, view.maxSupply),
    asOfLine(view),
  ]);
};
