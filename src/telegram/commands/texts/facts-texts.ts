import type { TrackedCollection } from '../../../market/contract.ts';
import type { ActivitySummary } from '../../ports.ts';
import { type CardContext, cardOf, collectionHtml, headline, joined, type Line } from '../../cards/parts.ts';
import { otherCountsLine, salesWords, pricesOfDay } from '../../cards/recap.ts';
import type { MessageContent } from '../../cards/message-content.ts';
import { suiText, usdText } from '../../cards/price-text.ts';
import { progressText } from '../../cards/mint-progress.ts';
import { ageText, spanText } from '../../notify/rules/time-text.ts';

/** Rulings R3: a figure older than twice its refresh is marked old; checks are at most 45 seconds apart. */
const freshForMs = 2 * 45_000;

interface FloorView {
  readonly collection: TrackedCollection;
  readonly usdPerSui: string | null;
  readonly now: Date;
}

/** `13 SUI ($45.50)`, or a note that it is unknown: never a zero. */
const floorWords = ({ collection, usdPerSui }: FloorView): string => {
  if (collection.floorMist === null) return 'floor not known';
  const usd = usdText(collection.floorMist, usdPerSui);
  return `floor ${suiText(collection.floorMist)}${usd === null ? '' : ` (${usd})`}`;
};

const asOfLine = ({ collection, now }: FloorView): string | null => {
  if (collection.lastSucceededAt === null) return 'The marketplace has not answered yet.';
  const ageMs = now.getTime() - collection.lastSucceededAt.getTime();
  return ageMs <= freshForMs ? null : `As of ${ageText(ageMs)} ago: the marketplace is not answering.`;
};

const listedWords = ({ listedCount }: TrackedCollection): string | null =>
  listedCount === null ? null : `${listedCount} listed`;

/** /floor. */
export const floorAnswer = (view: FloorView): MessageContent =>
  cardOf([
    headline('🏷', `<b>${collectionHtml(view.collection.name)}: ${floorWords(view)}</b>`),
    listedWords(view.collection),
    view.collection.floorMist === null ? 'Perhaps nothing is listed for SUI.' : null,
    asOfLine(view),
  ]);

interface SummaryView extends FloorView {
  /** Of the last 24 hours. */
  readonly day: ActivitySummary;
  /** Since the group was set up: earlier stored activity is not its own history. */
  readonly total: ActivitySummary;
  /** When the group was set up. */
  readonly since: Date;
  readonly timeZone: string;
  readonly mintedCount: number;
  readonly maxSupply: number | null;
  readonly explorerUrl: string;
}

const dayMs = 86_400_000;

/** A record shorter than a day is not passed off as a whole day: it shows the group's own span instead. */
const pastLines = (
  { day, total, now, usdPerSui, since, timeZone }: SummaryView,
  context: CardContext,
): readonly Line[] => {
  if (day.completeSince === null || total.completeSince === null)
    return ['Past sales are still being read. Please ask again in a minute.'];
  const isWholeDay = day.completeSince.getTime() <= now.getTime() - dayMs;
  const shown = isWholeDay ? day : total;
  const span = isWholeDay ? 'Last 24 hours' : `Since ${spanText([since], timeZone) ?? ''}`;
  return [
    `${span}: ${salesWords(shown, usdPerSui)}`,
    otherCountsLine(shown),
    pricesOfDay(shown, context),
    !isWholeDay || total.saleCount === 0 ? null : `Since this group was set up: ${salesWords(total, usdPerSui)}`,
  ];
};

/** /summary: the state of the collection in one card. */
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
