import type { Formatted } from './html-entities.ts';
import { linkOf } from './html-entities.ts';
import type { Entity } from './wire.ts';
import { badRequest } from './wire.ts';

const reserved = new Set('_*[]()~`>#+-=|{}.!');
const kinds: Readonly<Record<string, string>> = {
  '*': 'bold',
  _: 'italic',
  __: 'underline',
  '~': 'strikethrough',
  '||': 'spoiler',
};
const names: Readonly<Record<string, string>> = {
  '*': 'Bold',
  _: 'Italic',
  __: 'Underline',
  '~': 'Strikethrough',
  '||': 'Spoiler',
  '[': 'TextUrl',
};

type Open = { mark: string; start: number; at: number };
type Reading = { source: string; at: number; text: string; entities: Entity[]; open: Open[] };

function refuse(source: string, at: number, what: (byteOffset: number) => string): never {
  throw badRequest(`can't parse entities: ${what(Buffer.byteLength(source.slice(0, at)))}`);
}

/** MarkdownV2 of the Bot API. Throws Telegram's own Refusal for broken markup. */
export function parseMarkdown(source: string): Formatted {
  const reading: Reading = { source, at: 0, text: '', entities: [], open: [] };
  while (reading.at < source.length) step(reading);
  const unclosed = reading.open.at(-1);
  if (unclosed) {
    refuse(source, unclosed.at, (byte) => `Can't find end of ${names[unclosed.mark]} entity at byte offset ${byte}`);
  }
  return { text: reading.text, entities: reading.entities };
}

function step(reading: Reading): void {
  const { source, at } = reading;
  const char = source[at] ?? '';
  const mark = markAt(source, at);
  if (char === '\\' && at + 1 < source.length) {
    reading.text += source[at + 1];
    reading.at += 2;
  } else if (char === '`') {
    readCode(reading, source.startsWith('```', at) ? '```' : '`');
  } else if (char === ']' && reading.open.at(-1)?.mark === '[') {
    closeLink(reading);
  } else if (char === '[') {
    reading.open.push({ mark: '[', start: reading.text.length, at });
    reading.at += 1;
  } else if (mark !== null) {
    toggle(reading, mark);
  } else if (char === '>' && (at === 0 || source[at - 1] === '\n')) {
    readQuote(reading);
  } else {
    readPlain(reading, char);
  }
}

function readPlain(reading: Reading, char: string): void {
  if (reserved.has(char)) {
    refuse(
      reading.source,
      reading.at,
      () => `Character '${char}' is reserved and must be escaped with the preceding '\\'`,
    );
  }
  reading.text += char;
  reading.at += 1;
}

/** A quote ends with its line; here, consecutive lines become separate entities. */
function readQuote(reading: Reading): void {
  const { source, at } = reading;
  const lineEnd = source.indexOf('\n', at);
  const end = lineEnd < 0 ? source.length : lineEnd;
  const quoted = parseMarkdown(source.slice(at + 1, end));
  const offset = reading.text.length;
  append(reading, quoted);
  reading.entities.push({ type: 'blockquote', offset, length: quoted.text.length });
  reading.at = end;
}

function append(reading: Reading, inner: Formatted): void {
  const start = reading.text.length;
  reading.entities.push(...inner.entities.map((entity) => ({ ...entity, offset: entity.offset + start })));
  reading.text += inner.text;
}

function markAt(source: string, at: number): string | null {
  const pair = source.slice(at, at + 2);
  if (pair === '__' || pair === '||') return pair;
  const char = source[at] ?? '';
  return char === '*' || char === '_' || char === '~' ? char : null;
}

function toggle(reading: Reading, mark: string): void {
  const top = reading.open.at(-1);
  if (top?.mark === mark) {
    reading.open.pop();
    const length = reading.text.length - top.start;
    if (length > 0) reading.entities.push({ type: kinds[mark] ?? '', offset: top.start, length });
  } else {
    reading.open.push({ mark, start: reading.text.length, at: reading.at });
  }
  reading.at += mark.length;
}

function readCode(reading: Reading, fence: string): void {
  const { source, at } = reading;
  let end = at + fence.length;
  let text = '';
  while (end < source.length && !source.startsWith(fence, end)) {
    if (source[end] === '\\') end += 1;
    text += source[end] ?? '';
    end += 1;
  }
  if (end >= source.length) {
    refuse(
      source,
      at,
      (byte) => `Can't find end of ${fence === '`' ? 'Code' : 'PreCode'} entity at byte offset ${byte}`,
    );
  }
  const language = fence === '`' ? undefined : /^([a-zA-Z0-9_+-]+)\n/.exec(text)?.[1];
  if (language !== undefined) text = text.slice(language.length + 1);
  const entity = { type: fence === '`' ? 'code' : 'pre', offset: reading.text.length, length: text.length };
  if (text.length > 0) reading.entities.push({ ...entity, ...(language !== undefined && { language }) });
  reading.text += text;
  reading.at = end + fence.length;
}

function closeLink(reading: Reading): void {
  const { source, at } = reading;
  const opened = reading.open.pop();
  const address = /^\]\(((?:\\.|[^)\\])*)\)/.exec(source.slice(at));
  if (!address) {
    refuse(source, opened?.at ?? at, (byte) => `Can't find end of a URL at byte offset ${byte}`);
  }
  const url = linkOf((address[1] ?? '').replace(/\\(.)/g, '$1'));
  const start = opened?.start ?? 0;
  const length = reading.text.length - start;
  if (url !== null && length > 0) reading.entities.push({ type: 'text_link', offset: start, length, url });
  reading.at += address[0].length;
}
