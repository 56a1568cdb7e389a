import { escapeHtml, cleanText } from '../../shared/foreign-text.ts';

export interface MessageButton {
  readonly text: string;
  /** Either a URL to open … */
  readonly url?: string;
  /** … or what the bot receives when it is pressed; at most 64 bytes (Bot API). */
  readonly data?: string;
}

/** One message. `html` is Telegram's HTML, with all foreign text escaped. */
export interface MessageContent {
  readonly html: string;
  /** Source of the picture; null: text only. Untrusted. */
  readonly imageUrl: string | null;
  readonly buttons: readonly (readonly MessageButton[])[];
  readonly isSilent: boolean;
  /** The message that it answers. */
  readonly replyTo?: number;
  /** Telegram prompts that person to reply in turn. */
  readonly forceReply?: boolean;
  /** The message whose content is replaced; if it is gone, this is sent as a new message. */
  readonly edits?: { readonly messageId: number; readonly isCaption: boolean };
}

/** Null lines are omitted; an empty line makes a gap. */
export type Line = string | null;

export const cardOf = (lines: readonly Line[], more: Partial<Omit<MessageContent, 'html'>> = {}): MessageContent => ({
  imageUrl: null,
  buttons: [],
  isSilent: false,
  ...more,
  html: lines.filter((line) => line !== null).join('\n'),
});

/** The URL is ours or made of checked parts; the label is ours. */
export const link = (address: string, label: string): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`;

/** `sign` is the one emoji a line may begin with (design brief). */
export const headline = (sign: string, sentenceHtml: string): string => `${sign} ${sentenceHtml}`;

export const collectionHtml = (name: string): string => foreignHtml(name, nameGraphemesMax) || 'Unnamed collection';

export const joined = (parts: readonly Line[]): string | null =>
  parts.filter((part) => part !== null && part !== '').join(' · ') || null;

/** How much of a name is shown. A caption holds 1024 characters, of which a card spends at most a quarter on names. */
export const nameGraphemesMax = 60;
export const wordGraphemesMax = 24;

/** Limits stacked combining marks: at most this many code units per letter. */
const unitsPerGrapheme = 3;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Where Telegram would turn plain text into a link, a mention, a hashtag, a command or a cashtag. Not within an amount such as 1,234.5,
 * which someone may copy.
 */
const linkable =
  /\.(?=[\p{L}\p{N}])(?!(?<=(?<![\p{L}\p{N}.])\d[\d,]*\.)\d+(?![\p{L}\p{N}]|\.[\p{L}\p{N}]))|:(?=\/\/)|[@/$](?=[\p{L}\p{N}_])|#(?=[\p{N}_]*[\p{L}_])/gu;
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

/** Telegram's limits, after parsing the entities (Bot API: sendMessage, sendPhoto). UTF-16 units, like Telegram's. */
export const textMaxLength = 4096;
export const captionMaxLength = 1024;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** The visible text of our own HTML. Undoes `escapeHtml`; anything else stays as it is. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);

/** The same with the address of each link behind its words, as far as a message holds them. */
export function plainTextWithAddresses(html: string): string {
  let room = textMaxLength - plainText(html).length;
  const written = html.replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, (_link, address: string, words: string) => {
    room -= ` (${address})`.length;
    return room < 0 ? words : `${words} (${address})`;
  });
  return plainText(written);
}

/** At most `maxLength` units, never half a character; a cut is marked. */
export const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
