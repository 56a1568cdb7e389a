import { createRandom } from '../world/random.ts';
import { colourOfRock, rockMaxSupply } from '../world/rocks.ts';
import { escapeText } from './html.ts';

const size = 400;
const middle = size / 2;
const corners = 11;

type Point = { x: number; y: number };

/** A faceted rock: a ring of corners around a summit, lit from the upper left. */
export function drawSandboxRock(number: number, hex: string, label: string): string {
  const random = createRandom(number * 7919);
  const ring = Array.from({ length: corners }, (_, index): Point => {
    const angle = (index / corners) * 2 * Math.PI;
    const radius = middle * (0.62 + random.next() * 0.24);
    return { x: middle + Math.cos(angle) * radius, y: middle + 24 + Math.sin(angle) * radius * 0.82 };
  });
  const summit = { x: middle - 30 + random.below(60), y: middle - 20 - random.below(40) };
  const facets = ring.map((corner, index) => facet(corner, ring[(index + 1) % corners] ?? corner, summit, hex));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img">`,
    `<title>${escapeText(label)}</title><rect width="${size}" height="${size}" fill="#15181d"/>`,
    `<ellipse cx="${middle}" cy="352" rx="140" ry="18" fill="#0b0d10"/>${facets.join('')}</svg>`,
  ].join('');
}

function facet(one: Point, other: Point, summit: Point, hex: string): string {
  const towards = { x: (one.x + other.x) / 2 - middle, y: (one.y + other.y) / 2 - middle };
  const light = (-towards.x - towards.y) / (middle * 1.6);
  const points = [one, other, summit].map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const fill = shade(hex, light);
  return `<polygon points="${points}" fill="${fill}" stroke="${fill}" stroke-width="1"/>`;
}

/** Lighter or darker by a share of -1 to 1. */
function shade(hex: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const value = parseInt(hex.slice(start, start + 2), 16);
    const moved = share > 0 ? value + (255 - value) * share * 0.45 : value * (1 + share * 0.6);
    return Math.round(Math.min(255, Math.max(0, moved)))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** The picture of `/image/<collection>/<number>.svg`; null when there can be no such thing. */
export function imageOf(path: string): string | null {
  const match = /^\/image\/([a-z-]{1,40})\/(\d{1,6})\.svg$/.exec(path);
  if (!match) return null;
  const [, collection = '', digits = ''] = match;
  const number = Number(digits);
  if (collection !== 'rock') return drawSandboxRock(number + 1000, '#7a6a58', `${collection} ${number}`);
  if (number < 1 || number > rockMaxSupply) return null;
  const colour = colourOfRock(number);
  return drawSandboxRock(number, colour.hex, `Sui Rock #${number}, ${colour.name}`);
}
