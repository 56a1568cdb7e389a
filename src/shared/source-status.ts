/** The outside sources whose data visitors see. */
type SourceName = 'chain' | 'marketplace' | 'prices';

/** When a source was last read successfully; null: never. */
export interface SourceReading {
  readonly source: SourceName;
  readonly readAt: Date | null;
}

/** A single failed refresh of a source is not shown; five in a row are. */
export const refreshesMissed = 5;

/** A source that could not be read for too long, and the time (ISO) of the data shown from it. */
export interface StaleSource {
  readonly source: SourceName;
  readonly asOf: string;
}

/** A source that was never read is not stale: the page itself then says that the data is missing (rulings R3). */
export const staleSources = (readings: readonly SourceReading[], limitMs: number, now: Date): readonly StaleSource[] =>
  readings.flatMap(({ source, readAt }) =>
    readAt !== null && now.getTime() - readAt.getTime() > limitMs ? [{ source, asOf: readAt.toISOString() }] : [],
  );

/** The words before and after the time. */
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

/** The sources' own spelling; figures, exports and the database use the short names. */
const ownNames: ReadonlyMap<string, string> = new Map([
  ['defillama', 'DefiLlama'],
  ['geckoterminal', 'GeckoTerminal'],
  ['tradeport', 'TradePort'],
]);

/** Puts sources into proper spelling: 'Sui full node, defillama' becomes 'Sui full node, DefiLlama'. */
export const sourceInWords = (source: string): string =>
  source.replaceAll(/\b[a-z]+\b/g, (word) => ownNames.get(word) ?? word);
