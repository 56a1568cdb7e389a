import type { Formatted } from './html-entities.ts';
import { parseHtml } from './html-entities.ts';
import { parseMarkdown } from './markdown-entities.ts';
import type { Parameters } from './parameters.ts';
import { isRecord, jsonOf, textOf } from './parameters.ts';
import type { Entity, User } from './wire.ts';
import { badRequest } from './wire.ts';

/** A text or caption as sent, and its parsed form. */
export type GivenText = Formatted & { source: string; parseMode: string | null };

const longestText = 4096;
const longestCaption = 1024;

/** Reads `text` or `caption` with its parse mode or entities; lengths are counted without markup. */
export function readText(parameters: Parameters, name: 'text' | 'caption'): GivenText {
  const source = textOf(parameters, name);
  const parseMode = textOf(parameters, 'parse_mode') || null;
  const given = parse(source, parseMode, parameters, name === 'text' ? 'entities' : 'caption_entities');
  const formatted = trimmed(withFoundEntities(given));
  if (name === 'text') {
    if (source.trim() === '') throw badRequest('message text is empty');
    if (formatted.text === '') throw badRequest('text must be non-empty');
    if (formatted.text.length > longestText) throw badRequest('message is too long');
  } else if (formatted.text.length > longestCaption) {
    throw badRequest('message caption is too long');
  }
  return { ...formatted, source, parseMode };
}

function parse(source: string, parseMode: string | null, parameters: Parameters, entitiesName: string): Formatted {
  switch (parseMode?.toLowerCase()) {
    case undefined:
      return { text: source, entities: givenEntities(parameters, entitiesName) };
    case 'html':
      return parseHtml(source);
    case 'markdownv2':
      return parseMarkdown(source);
    default:
      // The legacy 'Markdown' mode is not supported: nothing new should use it.
      throw badRequest('unsupported parse_mode');
  }
}

function givenEntities(parameters: Parameters, name: string): Entity[] {
  const given = jsonOf(parameters, name, "can't parse entities: Can't parse entities JSON object") ?? [];
  if (!Array.isArray(given)) throw badRequest("can't parse entities: expected an Array of MessageEntity");
  return given.filter(
    (each): each is Entity =>
      isRecord(each) &&
      typeof each.type === 'string' &&
      typeof each.offset === 'number' &&
      typeof each.length === 'number',
  );
}

const found = [
  // A command ends at the first character that cannot be part of one.
  {
    type: 'bot_command',
    pattern: /(?<![\p{L}\p{N}_/<])\/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\p{L}\p{N}_])/gu,
  },
  { type: 'url', pattern: /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g },
  { type: 'mention', pattern: /(?<![\p{L}\p{N}_/])@[a-zA-Z][a-zA-Z0-9_]{3,31}/gu },
];

/** Adds the commands, URLs and mentions that Telegram finds by itself, outside existing entities. */
export function withFoundEntities({ text, entities }: Formatted): Formatted {
  const taken = entities.filter((entity) => ['code', 'pre', 'text_link', 'url'].includes(entity.type));
  const free = (offset: number, length: number, others: readonly Entity[]): boolean =>
    others.every((other) => offset >= other.offset + other.length || offset + length <= other.offset);
  const added: Entity[] = [];
  for (const { type, pattern } of found) {
    for (const match of text.matchAll(pattern)) {
      const length = match[0].length;
      if (free(match.index, length, [...taken, ...added])) added.push({ type, offset: match.index, length });
    }
  }
  const sorted = [...entities, ...added].toSorted(
    (one, other) => one.offset - other.offset || other.length - one.length,
  );
  return { text, entities: sorted };
}

function trimmed({ text, entities }: Formatted): Formatted {
  const leading = text.length - text.trimStart().length;
  const result = text.trim();
  const kept = entities.flatMap((entity) => {
    const start = Math.max(0, entity.offset - leading);
    const end = Math.min(result.length, entity.offset - leading + entity.length);
    return end > start ? [{ ...entity, offset: start, length: end - start }] : [];
  });
  return { text: result, entities: kept };
}

/** Turns `tg://user?id=` links into mentions of known users, and into plain text otherwise. */
export function withMentions(entities: readonly Entity[], users: ReadonlyMap<number, User>): Entity[] {
  return entities.flatMap((entity) => {
    const id = /^tg:\/\/user\/?\?id=(\d+)$/.exec(entity.url ?? '')?.[1];
    if (id === undefined) return [entity];
    const user = users.get(Number(id));
    return user ? [{ type: 'text_mention', offset: entity.offset, length: entity.length, user }] : [];
  });
}
