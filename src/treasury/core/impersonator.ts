import type { KnownCoin } from './known-coins.ts';

/** Letters of other alphabets that look like Latin capitals; the usual trick of a fake `USDC`. */
const lookalikes: Readonly<Record<string, string>> = {
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  Н: 'H',
  І: 'I',
  Ј: 'J',
  К: 'K',
  М: 'M',
  О: 'O',
  Р: 'P',
  Ѕ: 'S',
  Т: 'T',
  Х: 'X',
  У: 'Y',
  Α: 'A',
  Β: 'B',
  Ε: 'E',
  Η: 'H',
  Ι: 'I',
  Κ: 'K',
  Μ: 'M',
  Ν: 'N',
  Ο: 'O',
  Ρ: 'P',
  Τ: 'T',
  Υ: 'Y',
  Χ: 'X',
  Ζ: 'Z',
};

/** What a reader sees of a symbol: compatibility forms folded, no accents, capitals, lookalikes in Latin, everything else gone. */
const skeletonOf = (symbol: string): string =>
  Array.from(symbol.normalize('NFKD').toUpperCase(), (letter) => lookalikes[letter] ?? letter)
    .join('')
    .replace(/[^A-Z0-9]/g, '');

/** Rulings R3: a known coin's symbol under another type. */
export const isImpersonator = (coinType: string, symbol: string, known: readonly KnownCoin[]): boolean => {
  const skeleton = skeletonOf(symbol);
  const isKnownType = known.some((coin) => coin.coinTypes.includes(coinType));
  return !isKnownType && known.some((coin) => skeletonOf(coin.symbol) === skeleton);
};
