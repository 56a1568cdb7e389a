/** Telegram's limits, after parsing the entities (Bot API: sendMessage, sendPhoto). UTF-16 units, like Telegram's. */
export const textMaxLength = 4096;
export const captionMaxLength = 1024;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** The visible text of Telegram's HTML. Anything that is no HTML stays as it is. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(
      /&(?:(lt|gt|amp|quot)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
      (whole, name?: string, decimal?: string, hex?: string) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
      },
    );

/** At most `maxLength` units, never half a character; a cut is marked. */
export const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
