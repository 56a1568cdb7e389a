import { facetPaths, frameAround, groundShadow, placed, svgDocument } from './drawing.ts';
import type { StoneName } from './palette.ts';
import { boxOf, type Facet, hewRock } from './rock.ts';

/** How many rocks of each colour there are (specification 3), largest first. */
export interface Layer {
  readonly colour: StoneName;
  readonly count: number;
}

const drawnArea = 1 / 13;

const layerStone = ({ colour, count }: Layer, index: number): Facet[] => {
  const width = Math.sqrt(count) * drawnArea * 1.55;
  const options = { seed: `cairn-${index}`, colour, flatTop: true, faces: 22, chips: 26 };
  return [...hewRock({ ...options, size: [width, width * 0.52, width * 0.62] }).facets];
};

const lean = [0, 7, -6, 5, -4, 3];

/** Stones lying on each other, the widest at the bottom: the area of each stands for its share of the collection. */
function cairnFacets(layers: readonly Layer[]): Facet[] {
  let topY = 0;
  return layers.flatMap((layer, index) => {
    const stone = layerStone(layer, index);
    const box = boxOf(stone);
    const centred = placed(stone, (lean[index] ?? 0) - (box.left + box.right) / 2, topY - box.bottom);
    // The eye looks down a little: the next stone stands on the middle of this one's top face, not on its far rim.
    topY += box.top - box.bottom + (box.right - box.left) * 0.1;
    return centred;
  });
}

const pebbles = [
  { colour: 'charcoal-slate', x: -196, y: 6, scale: 0.3 },
  { colour: 'cool-cobalt', x: 178, y: 2, scale: 0.36 },
  { colour: 'frosted-mist', x: 214, y: 12, scale: 0.2 },
  { colour: 'ocean-stone', x: -150, y: 14, scale: 0.2 },
] as const;

/** The cairn with a few pebbles at its foot, as an SVG document. */
export function cairnSvg(layers: readonly Layer[]): string {
  const stones = cairnFacets(layers);
  const strewn = pebbles.map(({ colour, x, y, scale }, index) => {
    const { facets, box } = hewRock({ seed: `pebble-${index}`, colour, faces: 14, chips: 10 });
    return placed(facets, x, y - box.bottom * scale, scale);
  });
  const frame = frameAround(boxOf([...stones, ...strewn.flat()]), 10);
  const shadows = [stones.slice(0, 30), ...strewn].map((facets) => groundShadow(boxOf(facets)));
  return svgDocument(frame, shadows.join('') + facetPaths([...strewn.flat(), ...stones]));
}
