/** How long a symbol or a name from outside may get; longer ones are cut. */
export const symbolLengthMax = 32;
export const nameLengthMax = 100;
const iconUrlLengthMax = 2_000;

/** Control, format (zero width, right-to-left override), surrogate and private characters: invisible, or meant to mislead. */
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Rulings R3: names from the chain and the marketplace are untrusted. This makes them storable (PostgreSQL refuses U+0000 and
 * lone surrogates) and short; escaping stays the business of whoever prints them.
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

/** An icon is shown only from https; anything else (data:, http:, javascript:) is left out. */
export const cleanIconUrl = (url: string | null): string | null =>
  url !== null && url.length <= iconUrlLengthMax && /^https:\/\/[^\s"'<>\\]+$/i.test(url)
    ? cleanText(url, iconUrlLengthMax)
    : null;
