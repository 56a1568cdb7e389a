import { Unavailable } from '../../shared/failure.ts';
import type { PriceQuote, PriceQuotes, PriceSource } from './price-quote.ts';

export interface PricesWithFallbackOptions {
  readonly first: PriceSource;
  readonly fallback: PriceSource;
  /** How long a coin that neither source knows is not asked of the fallback again. */
  readonly unknownForMs?: number;
  /** How long a quote of the fallback serves before it is asked again; its limit is 30 calls a minute. */
  readonly fallbackFreshForMs?: number;
  readonly now?: () => Date;
}

interface Remembered {
  readonly quote: PriceQuote;
  readonly isFallback: boolean;
}

/** More remembered types than any treasury holds: beyond it the oldest are forgotten. */
const rememberedMax = 10_000;

/** A quote older than this no longer stands in for a source that is down. */
const lastGoodForMs = 86_400_000;

/**
 * The first source decides; coins it does not know, or all of them while it is down, go to the fallback. A coin whose
 * source is down keeps its last quote with the time it is from: an outage does not make a coin unknown. Throws
 * Unavailable only when nobody answered at all.
 */
export function createPricesWithFallback(options: PricesWithFallbackOptions): PriceSource {
  const { first, fallback, unknownForMs = 3_600_000, fallbackFreshForMs = 300_000, now = () => new Date() } = options;
  const unknownUntilMs = new Map<string, number>();
  const lastKnown = new Map<string, Remembered>();

  const remember = (quotes: PriceQuotes, isFallback: boolean): void => {
    for (const [coinType, quote] of quotes) keep(lastKnown, coinType, { quote, isFallback });
  };
  const ageMs = ({ quote }: Remembered): number => now().getTime() - quote.asOf.getTime();
  const select = (coinTypes: readonly string[], isWanted: (known: Remembered) => boolean): PriceQuotes =>
    new Map(
      coinTypes.flatMap((coinType): [string, PriceQuote][] => {
        const known = lastKnown.get(coinType);
        return known !== undefined && isWanted(known) ? [[coinType, known.quote]] : [];
      }),
    );
  const lastGood = (coinTypes: readonly string[]): PriceQuotes =>
    select(coinTypes, (known) => ageMs(known) < lastGoodForMs);

  const readFallback = async (coinTypes: readonly string[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const quotes = await fallback.readPrices(coinTypes, stop);
    remember(quotes, true);
    return quotes;
  };

  /** What the first source answered without: it does not know these. */
  const readMissing = async (missing: readonly string[], stop?: AbortSignal): Promise<PriceQuotes> => {
    const fresh = select(missing, (known) => known.isFallback && ageMs(known) < fallbackFreshForMs);
    const nowMs = now().getTime();
    const asked = missing.filter((type) => !fresh.has(type) && (unknownUntilMs.get(type) ?? 0) <= nowMs);
    if (asked.length === 0) return fresh;
    try {
      const quotes = await readFallback(asked, stop);
      for (const type of asked) {
        if (quotes.has(type)) unknownUntilMs.delete(type);
        else keep(unknownUntilMs, type, nowMs + unknownForMs);
      }
      return new Map([...fresh, ...quotes]);
    } catch (error) {
      if (!isOutage(error)) throw error;
      return lastGood(missing);
    }
  };

  /** The first source is down: everything goes to the fallback. */
  const readWithoutFirst = async (
    wanted: readonly string[],
    firstFailure: Unavailable,
    stop?: AbortSignal,
  ): Promise<PriceQuotes> => {
    try {
      return new Map([...lastGood(wanted), ...(await readFallback(wanted, stop))]);
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
      try {
        const quotes = await first.readPrices(wanted, stop);
        remember(quotes, false);
        const missing = wanted.filter((type) => !quotes.has(type));
        return new Map([...(await readMissing(missing, stop)), ...quotes]);
      } catch (error) {
        if (!isOutage(error)) throw error;
        return readWithoutFirst(wanted, error, stop);
      }
    },
  };
}

/** A caller who stops waits for nobody, so there is nothing to stand in for. */
function isOutage(error: unknown): error is Unavailable {
  return error instanceof Unavailable && error.reason !== 'stopped';
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > rememberedMax && !oldest.done) map.delete(oldest.value);
}
