import { cleanText } from '../../shared/clean-text.ts';
import { escapeHtml } from '../../shared/escape-html.ts';

/** How much of a name is shown. A caption holds 1024 characters, of which a card spends at most a quarter on names. */
export const nameGraphemesMax = 60;
export const wordGraphemesMax = 24;

/** Limits stacked combining marks: the most code units for each letter allowed. */
const unitsPerGrapheme = 3;

/** Right-to-left letters. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Where Telegram would turn plain text into a link, a mention, a hashtag, a command or a cashtag. */
const linkable = /\.(?=[\p{L}\p{N}])|:(?=\/\/)|[@/$](?=[\p{L}\p{N}_])|#(?=[\p{N}_]*[\p{L}_])/gu;
const wordJoiner = '\u2060';

const cutByGrapheme = (text: string, graphemesMax: number): string => {
  if (text.length <= graphemesMax) return text;
  let kept = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (count === graphemesMax || kept.length + segment.length > graphemesMax * unitsPerGrapheme) return `${kept}…`;
    kept += segment;
    count += 1;
  }
  return kept;
};

/**
 * Untrusted text made safe for Telegram's HTML: no invisible letters, cut with an ellipsis, no automatic links, its
 * writing direction isolated. Empty if nothing visible is left.
 */
export const foreignHtml = (text: string, graphemesMax: number): string => {
  const visible = cutByGrapheme(cleanText(text, graphemesMax * (unitsPerGrapheme + 1)), graphemesMax);
  const quiet = visible.replaceAll(linkable, (sign) => `${sign}${wordJoiner}`);
  return escapeHtml(rightToLeft.test(quiet) ? `\u2068${quiet}\u2069` : quiet);
};
