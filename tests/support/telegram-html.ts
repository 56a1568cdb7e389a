const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
};
const allowedTag = /^<(?:\/?(b|i|code)|a href="([^"<>]*)"|\/(a))>$/;

/** Reads HTML as Telegram would: the text with entities decoded, and the links. Throws where Telegram would refuse it. */
export const readTelegramHtml = (html: string): { readonly text: string; readonly links: readonly string[] } => {
  const links: string[] = [];
  const open: string[] = [];
  const text = html.replaceAll(/<[^>]*>|[^<]+|</g, (part) => {
    if (!part.startsWith('<')) return decode(part);
    const tag = allowedTag.exec(part);
    if (tag === null) throw new Error(`Telegram refuses ${part}`);
    const name = tag[1] ?? tag[3] ?? 'a';
    if (tag[2] !== undefined) links.push(decode(tag[2]));
    if (!part.startsWith('</')) open.push(name);
    else if (open.pop() !== name) throw new Error(`Telegram refuses ${part}: it closes a tag that is not open`);
    return '';
  });
  if (open.length > 0) throw new Error(`Telegram refuses an open ${open.join(', ')}`);
  return { text, links };
};

const decode = (text: string): string =>
  text.replaceAll(/&[^;]*;?/g, (entity) => {
    const sign = entities[entity];
    if (sign === undefined) throw new Error(`Not an entity: ${entity}`);
    return sign;
  });
