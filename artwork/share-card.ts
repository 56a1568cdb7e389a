import { facetPaths, groundShadow, placed } from './drawing.ts';
import { lettering } from './lettering.ts';
import { hewRock, type StoneName } from './rock.ts';

/** What a preview of one rock says of it. */
export interface ShareCard {
  readonly number: number;
  /** null: the color is not known. */
  readonly stone: StoneName | null;
  readonly colorName: string | null;
  /** null: not known. */
  readonly isForSale: boolean | null;
  /** '12.5 SUI'; null: not for sale, or its price is not known. */
  readonly price: string | null;
}

/** What social networks show: 1200 x 630. */
const size = { width: 1200, height: 630 };
const wall = '#0d141c';
const floor = '#131c26';
const light = '#edf2f7';
const quiet = '#b0bcc9';
const torch = '#ffb454';
const floorTop = 520;
const column = { left: 76, widthMax: 560 };
const rockPlace = { centre: 900, width: 440 };

/** One rock of the collection as a preview, of shapes alone. */
export function shareCardSvg({ number, stone, colorName, isForSale, price }: ShareCard): string {
  const offer = isForSale === true ? (price ?? 'For sale') : 'Not for sale';
  const lines = [
    lettering('Sui Rocks', { ...column, top: 84, height: 30, colour: quiet }),
    lettering(`#${number}`, { ...column, top: 180, height: 150, colour: light }),
    lettering(colorName ?? 'Rock', { ...column, top: 382, height: 42, colour: quiet }),
    isForSale === null ? '' : lettering(offer, { ...column, top: 462, height: 54, colour: isForSale ? torch : quiet }),
  ];
  const ground =
    `<path fill="${wall}" d="M0 0H${size.width}V${size.height}H0Z"/>` +
    `<path fill="${floor}" d="M0 ${floorTop + 46}H${size.width}V${size.height}H0Z"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" ` +
    `height="${size.height}" stroke-width=".6" stroke-linejoin="round">${ground}${drawnRock(stone)}${lines.join('')}</svg>`
  );
}

function drawnRock(stone: StoneName | null): string {
  if (stone === null) {
    const outline = 'M700 520 740 300 870 130 1010 190 1090 350 1080 520Z';
    return `<path fill="none" stroke="${quiet}" stroke-width="6" stroke-dasharray="18 14" d="${outline}"/>`;
  }
  const { facets, box } = hewRock({ seed: 'portrait', colour: stone });
  const scale = Math.min(rockPlace.width / (box.right - box.left), 420 / (box.bottom - box.top));
  const x = rockPlace.centre - ((box.left + box.right) / 2) * scale;
  const y = floorTop + 30 - box.bottom * scale;
  const standing = {
    left: box.left * scale + x,
    right: box.right * scale + x,
    top: box.top * scale + y,
    bottom: box.bottom * scale + y,
  };
  return `${groundShadow(standing)}${facetPaths(placed(facets, x, y, scale))}`;
}
