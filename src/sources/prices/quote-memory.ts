import type { PriceQuote, PriceQuotes } from './price-quote.ts';

/** What the sources said last, so that an outage does not make a coin unknown and a steady refresh asks no more than it must. */
export interface QuoteMemory {
  readonly remember: (quotes: PriceQuotes, isFallback: boolean) => void;
  /** Quotes of the fallback that are still fresh. */
  readonly freshFallback: (coinTypes: readonly string[]) => PriceQuotes;
  /** Last quotes of any source, with the time they are from, unless too old to stand in for anything. */
  readonly lastGood: (coinTypes: readonly string[]) => PriceQuotes;
  /** The fallback did not know these; do not ask it again for a while. */
  readonly noteUnknown: (coinTypes: readonly string[]) => void;
  readonly isUnknown: (coinType: string) => boolean;
}

export interface QuoteMemoryOptions {
  readonly unknownForMs: number;
  readonly fallbackFreshForMs: number;
  readonly now: () => Date;
}

interface Remembered {
  readonly quote: PriceQuote;
  readonly isFallback: boolean;
}

/** More types than any treasury holds: beyond it the oldest are forgotten. */
const rememberedMax = 10_000;

/** A quote older than this no longer stands in for a source that is down. */
const lastGoodForMs = 86_400_000;

export function createQuoteMemory({ unknownForMs, fallbackFreshForMs, now }: QuoteMemoryOptions): QuoteMemory {
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
    remember: (quotes, isFallback) => {
      for (const [coinType, quote] of quotes) {
        keep(lastKnown, coinType, { quote, isFallback });
        unknownUntilMs.delete(coinType);
      }
    },
    freshFallback: (coinTypes) =>
      select(coinTypes, (known) => known.isFallback && isYounger(known, fallbackFreshForMs)),
    lastGood: (coinTypes) => select(coinTypes, (known) => isYounger(known, lastGoodForMs)),
    noteUnknown: (coinTypes) => {
      for (const coinType of coinTypes) keep(unknownUntilMs, coinType, nowMs() + unknownForMs);
    },
    isUnknown: (coinType) => (unknownUntilMs.get(coinType) ?? 0) > nowMs(),
  };
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > rememberedMax && !oldest.done) map.delete(oldest.value);
}
