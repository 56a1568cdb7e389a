import type { Receipt } from '../market/rocks-contract.ts';
import { factsHtml, linkHtml, momentHtml, tableHtml } from '../http/ready/noscript-parts.ts';
import { escapeHtml } from '../shared/foreign-text.ts';
import { objectLink } from '../shared/explorer-links.ts';
import { shortAddress } from '../shared/sui-address.ts';
import { productName } from './content.ts';
import { holderLink, rockLink } from './web/rocks/rock-addresses.ts';
import {
  holderText,
  listedAt,
  ownName,
  placeText,
  rarityText,
  receiptAmount,
  rockInFull,
  rockTitle,
  suiText,
  suiTextOr,
} from './web/rocks/rock-words.ts';
import type { ShownColor, ShownRock, ShownRocks } from './web/rocks/rocks-answer.ts';

const known = (count: number | null): string => (count === null ? 'not known' : String(count));

const colorRow = ({ color, minted, listed, floorMist, holders }: ShownColor): readonly string[] => [
  escapeHtml(color ?? 'not known'),
  known(minted),
  known(listed),
  suiTextOr(floorMist, listed === 0 ? 'none listed' : 'not known'),
  known(holders),
];

const ownerHtml = (owner: ShownRock['owner']): string =>
  owner === null ? 'not known' : linkHtml(holderLink(owner.address), escapeHtml(holderText(owner)));

const rockRow = ({ number, color, owner, listing }: ShownRock): readonly string[] => [
  linkHtml(rockLink(number), rockTitle(number)),
  escapeHtml(color ?? 'not known'),
  listing === null ? '' : listedAt(listing),
  ownerHtml(owner),
];

/**
 * The content of `<noscript>` on /rocks: the first page of the rocks as tables. Everything from outside is escaped. null: nothing was ever
 * read, and nothing is invented (rulings R3).
 */
export function rocksNoscriptHtml(first: ShownRocks | null): string {
  if (first === null || first.state === 'unavailable') {
    return '<p>The rocks have not been read yet. Please reload in a minute.</p>';
  }
  const { rocks, colors, total, asOf, state } = first;
  return [
    `<p>${rocks.length} of ${known(total)} rocks (${state ?? 'state not known'}${asOf === null ? '' : `, as of ${momentHtml(asOf)}`}). Every rock has a page of its own.</p>`,
    tableHtml('Colors', ['Color', 'Minted', 'For sale', 'Floor', 'Holders'], (colors ?? []).map(colorRow)),
    tableHtml('Rocks', ['Rock', 'Color', 'Price', 'Owner'], rocks.map(rockRow)),
  ].join('');
}

const lastSaleText = ({ priceMist, at }: NonNullable<ShownRock['lastSale']>): string =>
  `${suiTextOr(priceMist, 'price not known')}${at === null ? '' : `, ${momentHtml(at)}`}`;

const receiptRow = ({ payout, title, at, address, coin, raw, digest, explorerUrl }: Receipt): readonly string[] => [
  linkHtml(`/payouts/${payout}`, escapeHtml(title)),
  escapeHtml(receiptAmount({ raw, coin })),
  linkHtml(holderLink(address), escapeHtml(shortAddress(address))),
  momentHtml(at),
  linkHtml(explorerUrl, escapeHtml(digest.slice(0, 8))),
];

const receiptsHtml = (receipts: readonly Receipt[]): string =>
  receipts.length === 0
    ? ''
    : tableHtml('What it received', ['Payout', 'Amount', 'Holder', 'When', 'Transaction'], receipts.map(receiptRow));

/** The content of `<noscript>` on a rock's page: its facts and what it received in payouts. `rock` null: nothing was ever read. */
export function rockNoscriptHtml(rock: ShownRock | null, receipts: readonly Receipt[], explorerUrl: string): string {
  if (rock === null) return '<p>This rock has not been read yet. Please reload in a minute.</p>';
  const { number, color, objectId, listing, owner, place, lastSale } = rock;
  const name = ownName(rock);
  const facts = {
    Rock: `#${number}`,
    Name: name === null ? null : escapeHtml(name),
    Color: escapeHtml(color === null ? 'not known' : `${color}. ${rarityText(color) ?? ''}`),
    Price: listing === null ? 'not for sale' : listedAt(listing),
    Owner: ownerHtml(owner),
    'Where it lies': placeText(place),
    'Last sale': lastSale === null ? 'none known' : lastSaleText(lastSale),
    Object: objectId === null ? null : linkHtml(objectLink(explorerUrl, objectId), 'See it on the chain'),
  };
  return `${factsHtml(facts)}${receiptsHtml(receipts)}<p>${linkHtml('/rocks', 'All rocks')}. Its history needs JavaScript.</p>`;
}

/** Values for the placeholders in the head of a rock's page. */
type RockHead = Readonly<Record<'rockNumber' | 'rockTitle' | 'rockDescription' | 'rockCard', string>>;

/** For social networks and search results. `rock` null: nothing is known about it now, and nothing is invented. */
export function rockHead(number: number, rock: Pick<ShownRock, 'color' | 'listing'> | null): RockHead {
  const title = rockTitle(number);
  const color = rock?.color ?? null;
  const listed = rock?.listing?.priceMist ? suiText(rock.listing.priceMist) : null;
  const price = listed === null ? '' : ` For sale at ${listed}.`;
  const rarity = rarityText(color);
  return {
    rockNumber: String(number),
    // The price is part of the address: social networks cache a picture by its address for days.
    rockCard: `/rock-images/${number}/card.png${listed === null ? '' : `?at=${encodeURIComponent(listed)}`}`,
    rockTitle: `${rockInFull(number, color)} | ${productName}`,
    rockDescription:
      `${title} of the Sui Rocks collection.${rarity === null ? '' : ` ${rarity}`}${price} ` +
      'Its owner, its sales and its history, read from the chain.',
  };
}
