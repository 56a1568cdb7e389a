import type { TrackedCollection } from '../../../market/contract.ts';
import type { ActivitySummary } from '../../ports.ts';
import { type CardContext, cardOf, collectionHtml, headline, joined, type Line } from '../../core/card-parts.ts';
import { otherCountsLine, salesWords, pricesOfDay } from '../../core/card-recap.ts';
import type { MessageContent } from '../../core/message-content.ts';
import { suiText, usdText } from '../../core/price-text.ts';
import { progressText } from '../../core/progress-text.ts';
import { ageText, spanText } from '../../core/time-text.ts';

/** Rulings R3: older than twice its refresh a figure is said to be old; a check comes every 45 seconds at the latest. */
const freshForMs = 2 * 45_000;

interface FloorView {
  readonly collection: TrackedCollection;
  readonly usdPerSui: string | null;
  readonly now: Date;
}

/** `13 SUI ($45.50)`, or that it is not known: never a zero. */
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
  /** Since the group was set up: what was stored before is not its own history. */
  readonly total: ActivitySummary;
  /** When the group was set up. */
  readonly since: Date;
  readonly timeZone: string;
  readonly mintedCount: number;
  readonly maxSupply: number | null;
  readonly explorerUrl: string;
}

const dayMs = 86_400_000;

/** A record that begins later than a day ago is not passed off as a whole day: the group's own time is told instead. */
const pastLines = (
  { day, total, now, usdPerSui, since, timeZone }: SummaryView,
  context: CardContext,
): readonly Line[] => {
  if (day.completeSince === null || total.completeSince === null)
    return ['Past sales are still being read. Please ask again in a minute.'];
  const isWholeDay = day.completeSince.getTime() <= now.getTime() - dayMs;
  const told = isWholeDay ? day : total;
  const span = isWholeDay ? 'Last 24 hours' : `Since ${spanText([since], timeZone) ?? ''}`;
  return [
    `${span}: ${salesWords(told, usdPerSui)}`,
    otherCountsLine(told),
    pricesOfDay(told, context),
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
