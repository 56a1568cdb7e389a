import type { Entity } from '../telegram/wire.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

type Span = { start: number; end: number };

/** A message's text as Telegram shows it; everything in it is escaped. */
export function formattedText(text: string, entities: readonly Entity[]): Html {
  const sorted = entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
  return html`${within(text, { start: 0, end: text.length }, sorted)}`;
}

function within(text: string, span: Span, entities: readonly Entity[]): (Html | string)[] {
  const parts: (Html | string)[] = [];
  let at = span.start;
  let rest = entities;
  for (let next = rest[0]; next; next = rest[0]) {
    const start = Math.max(next.offset, at);
    const end = Math.min(next.offset + next.length, span.end);
    const following = rest.slice(1);
    const inner = following.filter(({ offset }) => offset < end);
    rest = following.filter(({ offset }) => offset >= end);
    if (end <= start) continue;
    parts.push(
      text.slice(at, start),
      marked(next, html`${within(text, { start, end }, inner)}`, text.slice(start, end)),
    );
    at = end;
  }
  return [...parts, text.slice(at, span.end)];
}

function marked(entity: Entity, inner: Html, text: string): Html {
  switch (entity.type) {
    case 'bold':
      return html`<b>${inner}</b>`;
    case 'italic':
      return html`<i>${inner}</i>`;
    case 'underline':
      return html`<u>${inner}</u>`;
    case 'strikethrough':
      return html`<s>${inner}</s>`;
    case 'code':
    case 'pre':
      return html`<code>${inner}</code>`;
    case 'blockquote':
    case 'expandable_blockquote':
      return html`<q>${inner}</q>`;
    case 'spoiler':
      return html`<span class="spoiler" tabindex="0">${inner}</span>`;
    case 'url':
    case 'text_link':
      return link(entity.url ?? text, inner);
    default:
      return html`<span class="named">${inner}</span>`;
  }
}

function link(url: string, inner: Html): Html {
  if (!/^https?:\/\//i.test(url)) return html`<span class="named">${inner}</span>`;
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${inner}</a>`;
}
