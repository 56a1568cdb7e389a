import type { AgedRock, OwnRocks, RockAnswer } from '../../market/rocks-contract.ts';
import { objectLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import {
  foreignHtml,
  nameGraphemesMax,
  wordGraphemesMax,
  cardOf,
  headline,
  joined,
  link,
  type MessageContent,
} from '../cards/message-html.ts';
import { marketHtml } from '../cards/event-card.ts';
import { suiText } from '../../shared/money.ts';
import { inBrackets, usdText } from '../cards/price-text.ts';
import type { Command } from './command.ts';
import { agoText } from './texts/collection-texts.ts';

/** Rulings R8: one rock of the product's own collection, whatever the group follows, so it also works in private. */
export const rock: Command = {
  name: 'rock',
  who: 'anyone',
  where: 'everywhere',
  menuLine: 'One of the Sui Rocks: color, owner, price, last sale',
  example: '/rock 123',
  handle: async ({ typed, answer }, { rocks, prices, clock, config: { EXPLORER_URL: explorerUrl } }) => {
    const usdPerSui = await prices();
    return answer(rockAnswer(typed, { rocks, usdPerSui, explorerUrl, now: clock.now() }));
  },
};

interface RockView {
  readonly rocks: OwnRocks;
  readonly usdPerSui: string | null;
  readonly explorerUrl: string;
  readonly now: Date;
}

export function rockAnswer(typed: string, view: RockView): MessageContent {
  const { rocks } = view;
  const digits = /^#?(\d{1,9})$/.exec(typed)?.[1];
  const number = Number(digits ?? 0);
  if (number < 1 || number > rocks.supply)
    return cardOf([`A rock has a number from 1 to ${rocks.supply}, for instance /rock 123.`]);
  const found = rocks.find(number);
  if (found === undefined) return cardOf(['The rocks have not been read yet. Please ask again in a minute.']);
  if (found === null)
    return cardOf([`There is no rock #${number}: it is still part of the mountain, or it was burned.`]);
  return rockCard(found, rocks, view);
}

function rockCard(found: AgedRock, rocks: OwnRocks, { usdPerSui, explorerUrl, now }: RockView): MessageContent {
  const { number, color, objectId, imageUrl } = found;
  const price = (mist: bigint): string => `<b>${suiText(mist)}</b>${inBrackets(usdText(mist, usdPerSui))}`;
  return cardOf(
    [
      headline('🪨', `<b>Rock #${number}</b>${color === null ? '' : `, ${foreignHtml(color, wordGraphemesMax)}`}`),
      saleLine(found, price),
      ownerLine(found, rocks),
      lastSaleLine(found, price, now),
      ageLine(found, now),
      joined([link(rocks.pageOfRock(number), 'Its page'), link(objectLink(explorerUrl, objectId), 'NFT')]),
      'Always about our own collection, Sui Rocks.',
    ],
    { imageUrl },
  );
}

function saleLine({ listing }: RockAnswer, price: (mist: bigint) => string): string {
  if (listing === null) return 'Not for sale';
  const name = marketHtml(listing.market);
  const market = name === '' ? '' : ` on ${name}`;
  return listing.priceMist === null
    ? `For sale${market}, price not known`
    : `For sale for ${price(BigInt(listing.priceMist))}${market}`;
}

const places: Readonly<Record<NonNullable<RockAnswer['place']>, string>> = {
  wallet: 'in the wallet',
  kiosk: 'in a kiosk',
  'personal-kiosk': 'in a personal kiosk',
  escrow: 'at the marketplace',
};

function ownerLine({ owner, place }: RockAnswer, rocks: OwnRocks): string {
  if (owner === null) return 'Owner not known';
  const { address, name } = owner;
  const shown = name === null ? shortAddress(address) : foreignText(name, nameGraphemesMax);
  return `Owner ${link(rocks.pageOfHolder(address), shown)}${place === null ? '' : `, ${places[place]}`}`;
}

function lastSaleLine({ lastSale }: RockAnswer, price: (mist: bigint) => string, now: Date): string {
  if (lastSale === null) return 'No sale known';
  const age = agoText(new Date(lastSale.at), now);
  return lastSale.priceMist === null
    ? `Last sold ${age}`
    : `Last sold for ${price(BigInt(lastSale.priceMist))}, ${age}`;
}

/** Rulings R3: what is older than twice its refresh says so. */
const ageLine = ({ asOf, state }: AgedRock, now: Date): string | null =>
  state === 'live' || asOf === null ? null : `As of ${agoText(new Date(asOf), now)}: nothing newer could be read.`;
