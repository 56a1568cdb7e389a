import { escapeHtml } from '../shared/escape-html.ts';
import { objectLink } from '../shared/explorer-links.ts';
import { holderLink, rockLink } from './web/rocks/rock-addresses.ts';
import { holderText, ownName, placeText, rarityText, rockTitle, suiText, suiTextOr } from './web/rocks/rock-words.ts';
import type { ShownColor, ShownRock, ShownRocks } from './web/rocks/rocks-answer.ts';

const cells = (texts: readonly string[]): string => texts.map((text) => `<td>${text}</td>`).join('');

const head = (names: readonly string[]): string =>
  `<thead><tr>${names.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`;

const table = (caption: string, names: readonly string[], rows: readonly string[]): string =>
  `<section class="table-scroll" aria-label="${caption}" tabindex="0"><table class="table"><caption>${caption}</caption>` +
  `${head(names)}<tbody>${rows.join('')}</tbody></table></section>`;

const known = (count: number | null): string => (count === null ? 'not known' : String(count));

const colorRow = ({ color, minted, listed, floorMist, holders }: ShownColor): string =>
  `<tr><th scope="row">${escapeHtml(color)}</th>${cells([known(minted), known(listed), suiTextOr(floorMist, 'none listed'), known(holders)])}</tr>`;

const ownerHtml = (owner: ShownRock['owner']): string =>
  owner === null
    ? 'not known'
    : `<a class="link" href="${escapeHtml(holderLink(owner.address))}">${escapeHtml(holderText(owner))}</a>`;

const rockRow = ({ number, color, owner, listing }: ShownRock): string =>
  `<tr><th scope="row"><a class="link" href="${rockLink(number)}">${rockTitle(number)}</a></th>${cells([
    escapeHtml(color ?? 'not known'),
    listing === null ? '' : suiText(listing.priceMist),
    ownerHtml(owner),
  ])}</tr>`;

/** `2026-11-20 20:33 UTC`: a page without scripts cannot count an age that goes on growing. */
const moment = (iso: string): string => escapeHtml(`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`);

/**
 * What stands inside `<noscript>` of /rocks: the first page of the rocks as tables. Everything from outside is escaped. null: nothing was ever
 * read, and nothing is made up (rulings R3).
 */
export function rocksNoscriptHtml(first: ShownRocks | null): string {
  if (first === null || first.state === 'unavailable') {
    return '<p>The rocks have not been read yet. Please reload in a minute.</p>';
  }
  const { rocks, colors, total, asOf, state } = first;
  return [
    `<p>${rocks.length} of ${known(total)} rocks (${state ?? 'state not known'}${asOf === null ? '' : `, as of ${moment(asOf)}`}). Every rock has a page of its own.</p>`,
    table('Colors', ['Color', 'Minted', 'For sale', 'Floor', 'Holders'], (colors ?? []).map(colorRow)),
    table('Rocks', ['Rock', 'Color', 'Price', 'Owner'], rocks.map(rockRow)),
  ].join('');
}

const lastSaleText = ({ priceMist, at }: NonNullable<ShownRock['lastSale']>): string =>
  `${suiTextOr(priceMist, 'price not known')}${at === null ? '' : `, ${moment(at)}`}`;

/** What stands inside `<noscript>` of a rock's page: its facts. null: nothing was ever read. */
export function rockNoscriptHtml(rock: ShownRock | null, explorerUrl: string): string {
  if (rock === null) return '<p>This rock has not been read yet. Please reload in a minute.</p>';
  const { number, color, objectId, listing, owner, place, lastSale } = rock;
  const name = ownName(rock);
  const onChain = objectId === null ? null : escapeHtml(objectLink(explorerUrl, objectId));
  const facts: Readonly<Record<string, string | null>> = {
    Rock: `#${number}`,
    Name: name === null ? null : escapeHtml(name),
    Color: escapeHtml(color === null ? 'not known' : `${color}. ${rarityText(color) ?? ''}`),
    Price: listing === null ? 'not for sale' : suiText(listing.priceMist),
    Owner: ownerHtml(owner),
    'Where it lies': placeText(place),
    'Last sale': lastSale === null ? 'none known' : lastSaleText(lastSale),
    Object: onChain === null ? null : `<a class="link" href="${onChain}">See it on the chain</a>`,
  };
  const lines = Object.entries(facts).flatMap(([term, fact]) =>
    fact === null ? [] : [`<div><dt>${term}</dt><dd>${fact}</dd></div>`],
  );
  return `<dl>${lines.join('')}</dl><p><a class="link" href="/rocks">All rocks</a>. Its history needs JavaScript.</p>`;
}
