/** Control, format (zero width, right-to-left override), surrogate and private characters: invisible, or meant to mislead. */
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Rulings R3: names from the chain and the marketplace are untrusted. This makes them storable (PostgreSQL refuses U+0000 and
 * lone surrogates) and short; escaping is left to the code that prints them.
 */
export const cleanText = (text: string, lengthMax: number): string =>
  Array.from(
    text
      .slice(0, lengthMax * 8)
      .replace(misleading, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
    .slice(0, lengthMax)
    .join('');
