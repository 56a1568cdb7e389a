import { escapeHtml } from '../../shared/foreign-text.ts';

/** Parts of a page for readers without scripts. All arguments are HTML: callers escape text from outside. */

/** `figure`: right-aligned and never wrapped (design: figures.css). */
export type Cell = string | { readonly figure: string };

/** `2026-11-20 20:33 UTC`: a page without scripts cannot show a growing age. */
export const momentHtml = (iso: string): string => escapeHtml(`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`);

/** Escapes only the address. */
export const linkHtml = (href: string, html: string): string =>
  `<a class="link" href="${escapeHtml(href)}">${html}</a>`;

/** A fact that is null is left out. */
export const factsHtml = (facts: Readonly<Record<string, string | null>>): string =>
  `<dl>${Object.entries(facts)
    .flatMap(([term, fact]) => (fact === null ? [] : [`<div><dt>${term}</dt><dd>${fact}</dd></div>`]))
    .join('')}</dl>`;

/** The first column heads each row. On a small screen the table scrolls, by keyboard too. */
export const tableHtml = (caption: string, head: readonly Cell[], rows: readonly (readonly Cell[])[]): string =>
  `<section class="table-scroll" aria-label="${caption}" tabindex="0"><table class="table"><caption>${caption}</caption>` +
  `<thead><tr>${head.map((each) => cellHtml(each, 'col')).join('')}</tr></thead>` +
  `<tbody>${rows.map(rowHtml).join('')}</tbody></table></section>`;

const rowHtml = (cells: readonly Cell[]): string =>
  `<tr>${cells.map((each, index) => cellHtml(each, index === 0 ? 'row' : null)).join('')}</tr>`;

const cellHtml = (cell: Cell, scope: 'col' | 'row' | null): string => {
  const [html, numeric] = typeof cell === 'string' ? [cell, ''] : [cell.figure, ' class="numeric"'];
  return scope === null ? `<td${numeric}>${html}</td>` : `<th scope="${scope}"${numeric}>${html}</th>`;
};
