import { facetPaths, frameAround, groundShadow, svgDocument } from '../../artwork/drawing.ts';
import type { StoneName } from '../../artwork/rock.ts';
import { hewRock } from '../../artwork/rock.ts';
import { colourOfRock, rockMaxSupply } from '../world/rocks.ts';

const wallFill = '#12161c';
const floorFill = '#1b2129';
const marginPx = 34;

/** A rock on the floor of a cave, as a square picture. */
function picture(seed: string, colour: StoneName): string {
  const rock = hewRock({ seed, colour });
  const wide = frameAround(rock.box, marginPx);
  const side = Math.max(wide.width, wide.height);
  const left = wide.left - (side - wide.width) / 2;
  const top = wide.top - (side - wide.height) / 2;
  const floorTop = rock.box.bottom - 22;
  const wall = `<path fill="${wallFill}" d="M${left} ${top}h${side}v${side}h${-side}Z"/>`;
  const floor = `<path fill="${floorFill}" d="M${left} ${floorTop}h${side}V${top + side}h${-side}Z"/>`;
  return svgDocument(
    { left, top, width: side, height: side },
    `${wall}${floor}${groundShadow(rock.box)}${facetPaths(rock.facets)}`,
  );
}

/** The picture of `/image/<collection>/<number>.svg`; null if it does not exist. */
export function imageOf(path: string): string | null {
  const match = /^\/image\/([a-z0-9-]{1,40})\/(\d{1,6})\.svg$/.exec(path);
  if (!match) return null;
  const [, collection = '', digits = ''] = match;
  const number = Number(digits);
  if (collection !== 'rock') return picture(`${collection}/${number}`, 'charcoal-slate');
  return number >= 1 && number <= rockMaxSupply ? picture(`rock/${number}`, colourOfRock(number).key) : null;
}
