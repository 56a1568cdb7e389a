import { productName } from './content.ts';
import { rarityText, rockTitle, suiText } from './web/rocks/rock-words.ts';
import type { ShownRock } from './web/rocks/rocks-answer.ts';

/** What the head of a rock's page says of it: the placeholders of its template. */
export type RockHead = Readonly<Record<'rockNumber' | 'rockTitle' | 'rockDescription' | 'rockCard', string>>;

/** For social networks and search results. `rock` null: nothing is known of it now, and nothing is made up. */
export function rockHead(number: number, rock: Pick<ShownRock, 'color' | 'listing'> | null): RockHead {
  const title = rockTitle(number);
  const color = rock?.color ?? null;
  const listed = rock?.listing ? suiText(rock.listing.priceMist) : null;
  const price = listed === null ? '' : ` For sale at ${listed}.`;
  const rarity = rarityText(color);
  return {
    rockNumber: String(number),
    // Another price is another address: social networks keep a picture under its address for days.
    rockCard: `/rock-images/${number}/card.png${listed === null ? '' : `?at=${encodeURIComponent(listed)}`}`,
    rockTitle: `${title}${color === null ? '' : `, ${color}`} | ${productName}`,
    rockDescription:
      `${title} of the Sui Rocks collection.${rarity === null ? '' : ` ${rarity}`}${price} ` +
      'Its owner, its sales and its history, read from the chain.',
  };
}
