import { cairnSvg, type Layer } from './cairn.ts';
import { caveWallSvg, lostRockSvg, trackerSvg } from './cave-painting.ts';
import { rockSvg } from './drawing.ts';
import { familySvg, hoardSvg, trioSvg } from './groups.ts';
import { mountainSvg } from './mountain.ts';
import { type StoneName, stones } from './palette.ts';
import { type Facet, hewRock, type RockOptions } from './rock.ts';

/** The rock that stands for one colour of the collection. */
const portraitOf = (colour: StoneName): string => rockSvg({ seed: 'portrait', colour });

const mark: RockOptions = { seed: 'mark', colour: 'azure-pulse', faces: 11, chips: 3 };

const portraits = Object.fromEntries(
  (Object.keys(stones) as StoneName[]).map((colour) => [`rock-${colour}`, () => portraitOf(colour)]),
);

/** The counts of specification 3: how large each stone of the cairn is. */
export const cairnLayers: readonly Layer[] = [
  { colour: 'powder-blue', count: 160 },
  { colour: 'azure-pulse', count: 120 },
  { colour: 'cool-cobalt', count: 100 },
  { colour: 'ocean-stone', count: 85 },
  { colour: 'charcoal-slate', count: 60 },
  { colour: 'frosted-mist', count: 30 },
];

/** Every picture of the site by file name, drawn when asked for. */
export const gallery: Readonly<Record<string, () => string>> = {
  ...portraits,
  favicon: () => rockSvg(mark),
  cairn: () => cairnSvg(cairnLayers),
  mountain: mountainSvg,
  family: familySvg,
  trio: trioSvg,
  hoard: hoardSvg,
  tracker: trackerSvg,
  'lost-rock': lostRockSvg,
  'cave-wall': caveWallSvg,
};

/** A picture small enough to stand in the page itself. */
export interface InlineDrawing {
  readonly viewBox: string;
  readonly paths: readonly { readonly fill: string; readonly line: string }[];
}

const lineOf = (points: Facet['points']): string => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}Z`;

export const inlineGallery: Readonly<Record<string, () => InlineDrawing>> = {
  'rock-mark': () => {
    const { facets, box } = hewRock(mark);
    const viewBox = `${box.left - 1} ${box.top - 1} ${box.right - box.left + 2} ${box.bottom - box.top + 2}`;
    return { viewBox, paths: facets.map(({ points, fill }) => ({ fill, line: lineOf(points) })) };
  },
};
