import { Unavailable } from '../../shared/failure.ts';
import type { PartialPriceSource, PriceQuote, PriceQuotes, PriceSource } from './price-quote.ts';

interface Pacing {
  /** How long a coin that the fallback does not know is not asked of it again. */
  readonly unknownForMs: number;
  /** How long a quote of the fallback serves before it is asked again; its limit is 30 calls a minute. */
  readonly fallbackFreshForMs: number;
  readonly now: () => Date;
}

export interface PricesWithFallbackOptions extends Partial<Pacing> {
  readonly first: PriceSource;
  readonly fallback: PartialPriceSource;
}

/**
 * The first source decides; coins it does not know, or all of them while it is down, go to the fallback. A coin whose
 * source is down keeps its last quote with the time it is from: an outage does not make a coin unknown. Throws
 * Unavailable only when no source answered.
 */
export function createPricesWithFallback(options: PricesWithFallbackOptions): PriceSource {
  const { first, fallback, unknownForMs = 3_600_000, fallbackFreshForMs = 300_000, now = () => new Date() } = options;
  const memory = createQuoteMemory({ unknownForMs, fallbackFreshForMs, now });

  /** Asks only for what the memory lacks; a coin the fallback left unanswered keeps its last quote. */
  const readFallback = async (coinTypes: readonly string[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const fresh = memory.freshFallback(coinTypes);
    const asked = coinTypes.filter((type) => !fresh.has(type) && !memory.isUnknown(type));
    if (asked.length === 0) return fresh;
    const { quotes, answered } = await fallback.readAnswered(asked, stop);
    memory.remember(quotes, true);
    memory.noteUnknown([...answered].filter((type) => !quotes.has(type)));
    return new Map([...memory.lastGood(asked.filter((type) => !answered.has(type))), ...fresh, ...quotes]);
  };

  /** What the first source answered without: it does not know these. */
  const readMissing = async (missing: readonly string[], stop?: AbortSignal): Promise<PriceQuotes> => {
    try {
      return await readFallback(missing, stop);
    } catch (error) {
      if (!isOutage(error)) throw error;
      return memory.lastGood(missing);
    }
  };

  /** The first source is down: everything goes to the fallback. */
  const readWithoutFirst = async (
    wanted: readonly string[],
    firstFailure: Unavailable,
    stop?: AbortSignal,
  ): Promise<PriceQuotes> => {
    try {
      return new Map([...memory.lastGood(wanted), ...(await readFallback(wanted, stop))]);
    } catch (error) {
      if (!isOutage(error)) throw error;
      const cause = new AggregateError([firstFailure, error], 'Every source of prices failed');
      throw new Unavailable('no-price-source', 'No source of prices answered', cause, error.retryAfterMs);
    }
  };

  return {
    readPrices: async (coinTypes, stop) => {
      const wanted = [...new Set(coinTypes)];
      if (wanted.length === 0) return new Map();
      let quotes: PriceQuotes;
      try {
        quotes = await first.readPrices(wanted, stop);
      } catch (error) {
        if (!isOutage(error)) throw error;
        return readWithoutFirst(wanted, error, stop);
      }
      memory.remember(quotes, false);
      const missing = wanted.filter((type) => !quotes.has(type));
      return new Map([...(await readMissing(missing, stop)), ...quotes]);
    },
  };
}

/** A caller who stopped needs no fallback. */
function isOutage(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.reason !== 'stopped';
}

interface Remembered {
  readonly quote: PriceQuote;
  readonly isFallback: boolean;
}

/** More types than any treasury holds: beyond it the oldest are forgotten. */
const rememberedMax = 10_000;

/** A quote older than this no longer stands in for a source that is down. */
const lastGoodForMs = 86_400_000;

/** What the sources said last, so that an outage does not make a coin unknown and a steady refresh asks no more than it must. */
function createQuoteMemory({ unknownForMs, fallbackFreshForMs, now }: Pacing) {
  const unknownUntilMs = new Map<string, number>();
  const lastKnown = new Map<string, Remembered>();
  const nowMs = (): number => now().getTime();
  const select = (coinTypes: readonly string[], isWanted: (known: Remembered) => boolean): PriceQuotes =>
    new Map(
      coinTypes.flatMap((coinType): [string, PriceQuote][] => {
        const known = lastKnown.get(coinType);
        return known !== undefined && isWanted(known) ? [[coinType, known.quote]] : [];
      }),
    );
  const isYounger = ({ quote }: Remembered, ageMs: number): boolean => nowMs() - quote.asOf.getTime() < ageMs;

  return {
    remember: (quotes: PriceQuotes, isFallback: boolean): void => {
      for (const [coinType, quote] of quotes) {
        keep(lastKnown, coinType, { quote, isFallback });
        unknownUntilMs.delete(coinType);
      }
    },
    /** Quotes of the fallback that are still fresh. */
    freshFallback: (coinTypes: readonly string[]): PriceQuotes =>
      select(coinTypes, (known) => known.isFallback && isYounger(known, fallbackFreshForMs)),
    /** Last quotes of any source, with the time they are from, unless too old to stand in for anything. */
    lastGood: (coinTypes: readonly string[]): PriceQuotes =>
      select(coinTypes, (known) => isYounger(known, lastGoodForMs)),
    /** The fallback did not know these; it is not asked again for a while. */
    noteUnknown: (coinTypes: readonly string[]): void => {
      for (const coinType of coinTypes) keep(unknownUntilMs, coinType, nowMs() + unknownForMs);
    },
    isUnknown: (coinType: string): boolean => (unknownUntilMs.get(coinType) ?? 0) > nowMs(),
  };
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > rememberedMax && !oldest.done) map.delete(oldest.value);
}
