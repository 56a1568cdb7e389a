import type { Html } from './html.ts';
import { html } from './html.ts';

/** Resolves the names and links in a text. */
export type TextFacts = {
  nameOf: (kind: 'user' | 'role' | 'channel', id: string) => string;
  linkTo: (url: string) => string;
};

/** The inside of a mark: an escaped character never ends it. */
const inner = String.raw`(?:\\[\s\S]|[^\\])+?`;

/** Discord's markdown, as far as bots use it. The first alternative that matches wins. */
const marks = new RegExp(
  [
    String.raw`\\(?<escaped>[^\w\s])`,
    '```(?:\\w*\\n)?(?<block>[\\s\\S]*?)```',
    '`(?<code>[^`]+)`',
    String.raw`\*\*(?<bold>${inner})\*\*`,
    `__(?<underlined>${inner})__`,
    `~~(?<struck>${inner})~~`,
    String.raw`\|\|(?<spoiler>${inner})\|\|`,
    String.raw`\*(?!\s)(?<italic>${inner})\*`,
    String.raw`\b_(?<slanted>${inner})_\b`,
    String.raw`\[(?<label>[^\]]+)\]\(<?(?<target>https?:\/\/[^\s)>]+)>?\)`,
    '<(?<quietUrl>https?://[^\\s>]+)>',
    '(?<url>https?://[^\\s<>]+)',
    '<@!?(?<user>\\d+)>',
    '<@&(?<role>\\d+)>',
    '<#(?<channel>\\d+)>',
    '<t:(?<seconds>\\d{1,12})(?::[tTdDfFR])?>',
  ].join('|'),
  'g',
);

type Groups = Record<string, string | undefined>;

/** A message's text as Discord shows it; everything in it is escaped. */
export function markdown(text: string, facts: TextFacts): Html {
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(marks)) {
    parts.push(text.slice(at, match.index), marked(match.groups ?? {}, match[0], facts));
    at = match.index + match[0].length;
  }
  return html`${[...parts, text.slice(at)]}`;
}

type Render = (value: string, facts: TextFacts) => Html;

const renders: Readonly<Record<string, Render>> = {
  escaped: (value) => html`${value}`,
  block: (value) => html`<code class="block">${value}</code>`,
  code: (value) => html`<code>${value}</code>`,
  bold: (value, facts) => html`<b>${markdown(value, facts)}</b>`,
  underlined: (value, facts) => html`<u>${markdown(value, facts)}</u>`,
  struck: (value, facts) => html`<s>${markdown(value, facts)}</s>`,
  spoiler: (value, facts) => html`<span class="spoiler" tabindex="0">${markdown(value, facts)}</span>`,
  italic: (value, facts) => html`<i>${markdown(value, facts)}</i>`,
  slanted: (value, facts) => html`<i>${markdown(value, facts)}</i>`,
  quietUrl: (value, facts) => link(value, html`${value}`, facts),
  url: (value, facts) => link(value, html`${value}`, facts),
  user: (id, { nameOf }) => html`<span class="named">@${nameOf('user', id)}</span>`,
  role: (id, { nameOf }) => html`<span class="named">@${nameOf('role', id)}</span>`,
  channel: (id, { nameOf }) => html`<span class="named">#${nameOf('channel', id)}</span>`,
  seconds: (value) => html`<time>${timeOf(Number(value))}</time>`,
};

function marked(groups: Groups, whole: string, facts: TextFacts): Html {
  const { label, target } = groups;
  if (label !== undefined && target !== undefined) return link(target, markdown(label, facts), facts);
  for (const [name, render] of Object.entries(renders)) {
    const value = groups[name];
    if (value !== undefined) return render(value, facts);
  }
  return html`${whole}`;
}

function link(url: string, words: Html, { linkTo }: TextFacts): Html {
  return html`<a href="${linkTo(url)}" target="_blank" rel="noopener noreferrer">${words}</a>`;
}

/** Discord uses the reader's time zone and language; the console uses UTC. */
function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
