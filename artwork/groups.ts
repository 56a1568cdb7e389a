import { facetPaths, frameAround, groundShadow, placed, svgDocument } from './drawing.ts';
import { type StoneName, stones } from './palette.ts';
import { randomFrom, between } from './random.ts';
import { boxOf, type Facet, hewRock } from './rock.ts';

interface Place {
  readonly colour: StoneName;
  readonly seed: string;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  /** A small rock needs fewer. */
  readonly faces?: number;
  readonly chips?: number;
}

const standing = ({ x, y, scale, ...options }: Place): Facet[] => {
  const { facets, box } = hewRock(options);
  return placed(facets, x, y - box.bottom * scale, scale);
};

/** Back to front, each with its shadow. */
const grouped = (places: readonly Place[], margin = 46): string => {
  const rocks = places.map(standing);
  const body = rocks.map((facets) => groundShadow(boxOf(facets)) + facetPaths(facets)).join('');
  return svgDocument(frameAround(boxOf(rocks.flat()), margin), body);
};

/** The preview image of the collection: one rock of each colour, sitting for a family portrait. */
export const familySvg = (): string =>
  grouped([
    { colour: 'cool-cobalt', seed: 'family-b', x: 150, y: -34, scale: 1.75 },
    { colour: 'ocean-stone', seed: 'family-d', x: -150, y: -30, scale: 1.5 },
    { colour: 'azure-pulse', seed: 'family-a', x: 4, y: -4, scale: 1.95 },
    { colour: 'charcoal-slate', seed: 'family-e', x: 214, y: 28, scale: 1.05 },
    { colour: 'powder-blue', seed: 'family-c', x: -184, y: 34, scale: 1.15 },
    { colour: 'frosted-mist', seed: 'family-f', x: 96, y: 52, scale: 0.86 },
  ]);

/** Three rocks for the collection's card. */
export const trioSvg = (): string =>
  grouped(
    [
      { colour: 'cool-cobalt', seed: 'trio-a', x: -88, y: -8, scale: 0.95 },
      { colour: 'powder-blue', seed: 'trio-b', x: 84, y: -6, scale: 0.86 },
      { colour: 'azure-pulse', seed: 'trio-c', x: 4, y: 10, scale: 1.12 },
    ],
    24,
  );

/** A heap of small rocks for the treasury's card: rows of fewer and fewer, every colour in it. */
export function hoardSvg(): string {
  const random = randomFrom('hoard');
  const names = Object.keys(stones) as StoneName[];
  const rows = [3, 5, 7, 8];
  const places = rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, index): Place => {
      const seed = `hoard-${row}-${index}`;
      return {
        colour: names[Math.floor(random() * names.length)] ?? 'azure-pulse',
        seed,
        x: (index - (count - 1) / 2) * 47 + between(random, -7, 7),
        y: row * 25 + between(random, -5, 5),
        scale: between(random, 0.3, 0.44),
        faces: 14,
        chips: 6,
      };
    }),
  );
  const rocks = places.map(standing);
  const heap = boxOf(rocks.flat());
  return svgDocument(frameAround(heap, 6), groundShadow(heap) + facetPaths(rocks.flat()));
}
