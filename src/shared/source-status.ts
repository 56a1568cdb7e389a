/** What the product reads of the outside world and shows to visitors. */
type SourceName = 'chain' | 'marketplace' | 'prices';

/** When a source was last read well; null: never yet. */
export interface SourceReading {
  readonly source: SourceName;
  readonly readAt: Date | null;
}

/** A source that could not be read for longer than it should be, and the time (ISO) of what is shown of it. */
export interface StaleSource {
  readonly source: SourceName;
  readonly asOf: string;
}

/** What was never read is not stale: where it would stand the page says so itself (rulings R3). */
export const staleSources = (readings: readonly SourceReading[], limitMs: number, now: Date): readonly StaleSource[] =>
  readings.flatMap(({ source, readAt }) =>
    readAt !== null && now.getTime() - readAt.getTime() > limitMs ? [{ source, asOf: readAt.toISOString() }] : [],
  );

/** What is said before and after the time. */
export const staleWords: Readonly<Record<SourceName, readonly [of: string, why: string]>> = {
  chain: ['The treasury is as it was at', 'the chain has not answered since.'],
  marketplace: ['Floor prices are from', 'the marketplace has not answered since.'],
  prices: ['Prices are from', 'the price service has not answered since.'],
};

/** One sentence for visitors. `moment` puts the time into words. */
export function staleSentence({ source, asOf }: StaleSource, moment: (asOf: string) => string): string {
  const [of, why] = staleWords[source];
  return `${of} ${moment(asOf)}: ${why}`;
}

/** Sources as they write themselves; in figures, exports and the database they keep their short names. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['defillama', 'DefiLlama'],
  ['geckoterminal', 'GeckoTerminal'],
  ['tradeport', 'TradePort'],
]);

/** For a reader: 'Sui full node, defillama' is 'Sui full node, DefiLlama'. */
export const sourceInWords = (source: string): string =>
  source.replaceAll(/\b[a-z]+\b/g, (word) => ownNames.get(word) ?? word);
