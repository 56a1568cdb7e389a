const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const printableAscii = /^[ -~]*$/;

/** Most names are plain ASCII, a grapheme a letter: they spare a phone the browser's locale data. */
function graphemesOf(text: string): string[] {
  if (printableAscii.test(text)) return Array.from(text);
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => boundMarks(part.segment));
}

/**
 * A name or symbol that somebody else wrote on the chain (rulings R3: untrusted), made fit to print: no control,
 * direction or zero-width characters, one line, at most `maxGraphemes` visible characters. Never a link, never markup.
 */
export function foreignText(text: string | null, maxGraphemes: number): string {
  const clean = (text ?? '').normalize('NFC').replace(/\s+/gu, ' ').replace(invisible, '').trim();
  if (clean === '') return 'unnamed';
  // Far more code units than any honest name needs: bound the work before graphemes are counted.
  const graphemes = graphemesOf(clean.slice(0, maxGraphemes * 24));
  if (graphemes.length <= maxGraphemes) return graphemes.join('');
  return `${graphemes
    .slice(0, maxGraphemes - 1)
    .join('')
    .trimEnd()}…`;
}

/** One visible character may carry endless combining marks that paint over the rows above and below. */
const boundMarks = (grapheme: string): string => grapheme.replace(/(\p{M}{2})\p{M}+/gu, '$1');

/** The letter on a token's generated mark; a foreign image is never loaded. */
export function markLetter(symbol: string | null): string {
  const letter = /[\p{L}\p{N}]/u.exec(foreignText(symbol, 16))?.[0] ?? '?';
  return symbol === null || symbol.trim() === '' ? '?' : letter.toUpperCase();
}

/** `0x1234…abcd::sui::SUI`: an address or type short enough for a line, both ends kept. */
export function shortType(coinType: string): string {
  const [address = '', ...rest] = coinType.split('::');
  const short = address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
  return foreignText([short, ...rest].join('::'), 44);
}
