import type { ActivitySummary } from '../../market/contract.ts';
import { cardOf, collectionHtml, headline, joined, type Line, type MessageContent } from '../cards/message-html.ts';
import { progressText } from '../cards/mint-progress.ts';
import { counted } from '../../shared/money.ts';
import { otherCountsLine, salesWords, topSaleLine } from '../cards/cards-of-many.ts';
import { spanText } from '../time-zone.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import { type Command, inTrackedGroup } from './command.ts';
import { asOfLine, type CollectionView, floorWords, listedWords } from './texts/collection-texts.ts';

const dayMs = 86_400_000;

/** The state of the collection in one card, from the database alone. */
export const summary: Command = {
  name: 'summary',
  who: 'anyone',
  where: 'groups',
  menuLine: 'The state of the collection in one card',
  page: { text: 'The state of the collection in one card: minted so far, floor, listings and recent sales.' },
  handle: inTrackedGroup(async ({ collection, configuration }, { answer }, deps) => {
    const { activity, prices, clock, config } = deps;
    const { EXPLORER_URL: explorerUrl, TRACKER_POLL_MAX_MS: pollMaxMs } = config;
    const { mintedCount, maxSupply, createdAt: setUpAt, timeZone } = configuration;
    const now = clock.now();
    const [day, total, usdPerSui] = await Promise.all([
      activity.summary(collection.id, new Date(now.getTime() - dayMs)),
      activity.summary(collection.id, setUpAt),
      prices(),
    ]);
    const group = { setUpAt, timeZone, mintedCount, maxSupply };
    return answer(summaryAnswer({ collection, day, total, ...group, explorerUrl, usdPerSui, pollMaxMs, now }));
  }),
};

interface SummaryView extends CollectionView, Pick<Configuration, 'timeZone' | 'mintedCount' | 'maxSupply'> {
  readonly usdPerSui: string | null;
  readonly day: ActivitySummary;
  /** Since the group was set up, or as far back as is known. Earlier activity is not the group's own history. */
  readonly total: ActivitySummary;
  readonly setUpAt: Date;
  readonly explorerUrl: string;
}

const periodLines = (
  period: string,
  activity: ActivitySummary,
  view: Pick<SummaryView, 'usdPerSui' | 'collection' | 'explorerUrl'>,
): readonly Line[] => [
  `${period}: ${salesWords(activity, view.usdPerSui)}`,
  otherCountsLine(activity),
  topSaleLine(activity.topSale, view),
];

/** If less than a whole day is known, shows the group's own span instead of calling it a day. */
const pastLines = (view: SummaryView): readonly Line[] => {
  const { day, total, now, usdPerSui, setUpAt, timeZone } = view;
  if (day.completeSince === null || day.completeUntil === null || total.completeSince === null)
    return ['Past sales are still being read. Please ask again in a minute.'];
  const dayAgoMs = now.getTime() - dayMs;
  const isWholeDayKnown = day.completeSince.getTime() <= dayAgoMs;
  // An outage is never a zero (rulings R3).
  const dayUnread = day.completeUntil.getTime() <= dayAgoMs ? 'The last 24 hours are not known.' : null;
  const sinceKnown = `Since ${spanText([total.completeSince], timeZone) ?? ''}`;
  if (!isWholeDayKnown) return dayUnread === null ? periodLines(sinceKnown, total, view) : [dayUnread];
  const period = total.completeSince.getTime() <= setUpAt.getTime() ? 'Since this group was set up' : sinceKnown;
  const totalLine = total.saleCount === 0 ? null : `${period}: ${salesWords(total, usdPerSui)}`;
  return [...(dayUnread === null ? periodLines('Last 24 hours', day, view) : [dayUnread]), totalLine];
};

export const summaryAnswer = (view: SummaryView): MessageContent => {
  const { collection } = view;
  const ownerWords: Line = collection.ownerCount === null ? null : counted(collection.ownerCount, 'owner');
  return cardOf([
    headline('📊', `<b>${collectionHtml(collection.name)} today: ${floorWords(collection, view.usdPerSui)}</b>`),
    ...pastLines(view),
    joined([listedWords(collection), ownerWords]),
    progressText(view.mintedCount, view.maxSupply),
    asOfLine(view),
  ]);
};
