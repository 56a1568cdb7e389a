import type { Entity } from './wire.ts';
import { badRequest } from './wire.ts';

/** Text without its markup, and the entities of the markup. */
export type Formatted = { text: string; entities: Entity[] };

const kinds: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  'tg-emoji': 'custom_emoji',
};
const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

type Open = { tag: string; attributes: Map<string, string>; start: number };

function refuse(source: string, at: number, what: (byteOffset: number) => string): never {
  throw badRequest(`can't parse entities: ${what(Buffer.byteLength(source.slice(0, at)))}`);
}

/** HTML style of the Bot API ('Formatting options'). Throws Telegram's own Refusal for broken markup. */
export function parseHtml(source: string): Formatted {
  const entities: Entity[] = [];
  const open: Open[] = [];
  let text = '';
  let at = 0;
  while (at < source.length) {
    const char = source[at] ?? '';
    if (char === '&') {
      const reference = readReference(source, at);
      text += reference.text;
      at = reference.end;
    } else if (char !== '<') {
      text += char;
      at += 1;
    } else if (source[at + 1] === '/') {
      at = closeTag(source, at, { open, entities, end: text.length });
    } else {
      const tag = readTag(source, at);
      open.push({ tag: tag.name, attributes: tag.attributes, start: text.length });
      at = tag.end;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) refuse(source, 0, () => `Can't find end tag corresponding to start tag "${unclosed.tag}"`);
  return { text, entities: entities.map((entity) => (entity.type === 'code' ? withoutLanguage(entity) : entity)) };
}

/** `&lt; &gt; &amp; &quot;` and numbers; every other reference stays as it is. */
function readReference(source: string, at: number): { text: string; end: number } {
  const match = /^&(?:#(\d{1,8})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/i.exec(source.slice(at, at + 12));
  if (!match) return { text: '&', end: at + 1 };
  const [whole, decimal, hex, name] = match;
  const end = at + whole.length;
  if (name !== undefined) return { text: named[name] ?? whole, end };
  const code = decimal === undefined ? parseInt(hex ?? '0', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? { text: String.fromCodePoint(code), end } : { text: whole, end };
}

type Tag = { name: string; attributes: Map<string, string>; end: number };

function readTag(source: string, at: number): Tag {
  const nameEnd = endOfName(source, at + 1);
  if (nameEnd >= source.length) refuse(source, at, (byte) => `Unclosed start tag at byte offset ${byte}`);
  const name = source.slice(at + 1, nameEnd).toLowerCase();
  if (!Object.hasOwn(kinds, name))
    refuse(source, at, (byte) => `Unsupported start tag "${name}" at byte offset ${byte}`);
  const attributes = new Map<string, string>();
  let next = nameEnd;
  for (;;) {
    next = afterSpace(source, next);
    if (next >= source.length) refuse(source, at, (byte) => `Unclosed start tag "${name}" at byte offset ${byte}`);
    if (source[next] === '>') break;
    next = readAttribute(source, next, name, attributes);
  }
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
    refuse(source, at, (byte) => `Tag "span" must have class "tg-spoiler" at byte offset ${byte}`);
  }
  return { name, attributes, end: next + 1 };
}

function endOfName(source: string, at: number): number {
  let end = at;
  while (end < source.length && !/[\s>]/.test(source[end] ?? '')) end += 1;
  return end;
}

function afterSpace(source: string, at: number): number {
  let next = at;
  while (/\s/.test(source[next] ?? '')) next += 1;
  return next;
}

function readAttribute(source: string, at: number, tag: string, attributes: Map<string, string>): number {
  const name = /^[^\s=>/"']*/.exec(source.slice(at))?.[0] ?? '';
  if (name === '') refuse(source, at, (byte) => `Empty attribute name in the tag "${tag}" at byte offset ${byte}`);
  const sign = afterSpace(source, at + name.length);
  if (source[sign] === '=') {
    const value = readValue(source, afterSpace(source, sign + 1));
    attributes.set(name.toLowerCase(), value.text);
    return value.end;
  }
  // `expandable` is the only attribute without a value.
  if (tag !== 'blockquote' || name.toLowerCase() !== 'expandable') {
    refuse(
      source,
      at,
      (byte) => `Expected equal sign in declaration of an attribute of the tag "${tag}" at byte offset ${byte}`,
    );
  }
  attributes.set('expandable', '');
  return sign;
}

function readValue(source: string, at: number): { text: string; end: number } {
  const quote = source[at];
  if (quote !== '"' && quote !== "'") {
    const text = /^[^\s>]*/.exec(source.slice(at))?.[0] ?? '';
    return { text: decoded(text), end: at + text.length };
  }
  const end = source.indexOf(quote, at + 1);
  if (end < 0) refuse(source, at, (byte) => `Unclosed start tag at byte offset ${byte}`);
  return { text: decoded(source.slice(at + 1, end)), end: end + 1 };
}

function decoded(value: string): string {
  let text = '';
  for (let at = 0; at < value.length;) {
    if (value[at] !== '&') {
      text += value[at];
      at += 1;
      continue;
    }
    const reference = readReference(value, at);
    text += reference.text;
    at = reference.end;
  }
  return text;
}

/** A `code` that fills a `pre` is merged into it and gives its language. */
function withLanguage(pre: Entity, entities: Entity[]): Entity {
  const code = entities.at(-1);
  if (code?.type !== 'code' || code.offset !== pre.offset || code.length !== pre.length) return pre;
  entities.pop();
  return { ...pre, ...(code.language !== undefined && { language: code.language }) };
}

function withoutLanguage({ language: _language, ...entity }: Entity): Entity {
  return entity;
}

type Closing = { open: Open[]; entities: Entity[]; end: number };

function closeTag(source: string, at: number, { open, entities, end }: Closing): number {
  const opened = open.pop();
  if (!opened) refuse(source, at, (byte) => `Unexpected end tag at byte offset ${byte}`);
  const nameEnd = endOfName(source, at + 2);
  const name = source.slice(at + 2, nameEnd).toLowerCase();
  const next = afterSpace(source, nameEnd);
  if (source[next] !== '>') refuse(source, at, (byte) => `Unclosed end tag at byte offset ${byte}`);
  if (name !== '' && name !== opened.tag) {
    refuse(
      source,
      at,
      (byte) => `Unmatched end tag at byte offset ${byte}, expected "</${opened.tag}>", found "</${name}>"`,
    );
  }
  const entity = entityOf(opened, end);
  if (entity) entities.push(opened.tag === 'pre' ? withLanguage(entity, entities) : entity);
  return next + 1;
}

function entityOf({ tag, attributes, start }: Open, end: number): Entity | null {
  if (end <= start) return null;
  const base = { type: kinds[tag] ?? tag, offset: start, length: end - start };
  if (tag === 'a') {
    const url = linkOf(attributes.get('href') ?? '');
    return url === null ? null : { ...base, url };
  }
  if (tag === 'tg-emoji') return { ...base, custom_emoji_id: attributes.get('emoji-id') ?? '' };
  if (tag === 'blockquote' && attributes.has('expandable')) return { ...base, type: 'expandable_blockquote' };
  const language = /^language-(.+)$/.exec(attributes.get('class') ?? '')?.[1];
  return tag === 'code' && language !== undefined ? { ...base, language } : base;
}

/** The URL if Telegram would make it a link; otherwise null: the text stays, without a link. */
export function linkOf(href: string): string | null {
  const text = href.trim();
  if (/^(tg|ton|tonsite):\/\//i.test(text)) return text;
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, href: whole } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // Telegram requires a dot in the host name; the sandbox also allows localhost.
  return hostname.includes('.') || hostname === 'localhost' ? whole : null;
}
