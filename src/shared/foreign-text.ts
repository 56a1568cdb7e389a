/** Control, format (zero width, right-to-left override), surrogate and private characters: invisible or misleading. */
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** Plain ASCII, and the ellipsis of a shortened address. */
const oneUnitEach = /^[ -~…]*$/;
/** One visible character may carry endless combining marks that paint over the rows above and below. */
const endlessMarks = /(\p{M}{2})\p{M}+/gu;

/**
 * Makes a name or symbol from the chain (rulings R3: untrusted) fit to print: no control, direction or zero-width
 * characters, one line, at most `maxGraphemes` visible characters. Never a link, never markup.
 */
export function foreignText(text: string | null, maxGraphemes: number): string {
  const clean = (text ?? '').normalize('NFC').replace(/\s+/gu, ' ').replace(misleading, '').trim();
  if (clean === '') return 'unnamed';
  // Far more code units than any honest name needs: bound the work before graphemes are counted.
  const bounded = clean.slice(0, maxGraphemes * 24).replace(endlessMarks, '$1');
  if (bounded.length <= maxGraphemes) return bounded;
  const graphemes = graphemesOf(bounded);
  if (graphemes.length <= maxGraphemes) return bounded;
  return `${graphemes
    .slice(0, maxGraphemes - 1)
    .join('')
    .trimEnd()}…`;
}

/** Where every character is a grapheme, a shortcut avoids loading the browser's locale data (20 ms and more on a phone). */
function graphemesOf(text: string): string[] {
  if (oneUnitEach.test(text)) return Array.from(text);
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML text and quoted attributes. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** Without what PostgreSQL refuses: U+0000 and lone surrogates. Otherwise unchanged. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/**
 * Rulings R3: names from the chain and the marketplace are untrusted. This makes them storable (PostgreSQL refuses U+0000 and
 * lone surrogates) and short; escaping is left to the code that prints them.
 */
export const cleanText = (text: string, lengthMax: number): string =>
  Array.from(
    text
      .slice(0, lengthMax * 8)
      .replace(/\s+/g, ' ')
      .replace(misleading, '')
      .trim(),
  )
    .slice(0, lengthMax)
    .join('');
