import { hexOf, inLight, type Oklch } from './colour.ts';
import { facetPaths, placed, svgDocument } from './drawing.ts';
import { stones } from './palette.ts';
import { cross, unit, type Vector } from './polyhedron.ts';
import { between, type Random, randomFrom } from './random.ts';
import { brightness, type Facet, hewRock } from './rock.ts';

/** One peak; lengths in drawing units, `x` and `foot` where its middle meets the ground. */
interface Peak {
  readonly seed: string;
  readonly x: number;
  readonly foot: number;
  readonly halfWidth: number;
  readonly height: number;
  readonly stone: Oklch;
  /** Share of the height above which snow lies; above 1: none. */
  readonly snowFrom: number;
  readonly rings: number;
  readonly ridges: number;
}

const mountainWidth = 1200;
const mountainHeight = 860;

const lookDown = 0.22;

/**
 * The ground around a peak as rings of points: ridges and gullies run down from the summit in turn, steep above and
 * flaring out below, each point shaken a little.
 */
const ringsOf = (random: Random, { halfWidth, height, rings, ridges }: Peak): Vector[][] => {
  const spokes = ridges * 2;
  const relief = Array.from({ length: spokes }, (_, spoke) =>
    spoke % 2 === 0 ? between(random, 0.1, 0.24) : -between(random, 0.06, 0.2),
  );
  return Array.from({ length: rings + 1 }, (_, ring) => {
    const reach = ring / rings;
    return relief.map((raised, spoke): Vector => {
      const angle = ((spoke + (ring === 0 ? 0 : between(random, -0.26, 0.26))) / spokes) * Math.PI * 2;
      const out = reach * halfWidth * between(random, 0.9, 1.1);
      const slope = (1 - reach) ** 1.22;
      const ridge = raised * Math.sin(Math.PI * reach ** 1.15) * between(random, 0.7, 1.3);
      const up = ring === rings ? 0 : height * Math.max(0, slope * (1 + ridge * 0.5) + ridge * 0.45);
      return [Math.cos(angle) * out, ring === 0 ? height : up, Math.sin(angle) * out * 0.6];
    });
  });
};

type Triangle = readonly [Vector, Vector, Vector];

const trianglesOf = (rings: readonly (readonly Vector[])[]): Triangle[] =>
  rings.slice(1).flatMap((outer, index) => {
    const inner = rings[index] ?? [];
    return outer.flatMap((a, spoke): Triangle[] => {
      const next = (spoke + 1) % outer.length;
      const [b, c, d] = [outer[next], inner[next], inner[spoke]];
      if (b === undefined || c === undefined || d === undefined) return [];
      if (index === 0) return [[a, b, d]];
      return spoke % 2 === 0
        ? [
            [a, b, d],
            [b, c, d],
          ]
        : [
            [a, b, c],
            [a, c, d],
          ];
    });
  });

const middle = ([a, b, c]: Triangle, axis: 0 | 1 | 2): number => (a[axis] + b[axis] + c[axis]) / 3;

const difference = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

const triangleFacet = (triangle: Triangle, peak: Peak, random: Random): Facet[] => {
  const [a, b, c] = triangle;
  const normal = unit(cross(difference(c, a), difference(b, a)));
  const facing = normal[2] * Math.cos(lookDown) + normal[1] * Math.sin(lookDown);
  const snowLine = peak.height * (peak.snowFrom + between(random, -0.07, 0.07));
  const light = Math.max(0, brightness(normal) + between(random, -0.02, 0.02));
  if (facing <= 0) return [];
  const stone = middle(triangle, 1) > snowLine ? stones['frosted-mist'] : peak.stone;
  const points = triangle.map(
    ([x, y, z]) => [Math.round(peak.x + x), Math.round(peak.foot - y + z * Math.sin(lookDown))] as const,
  );
  return [{ points, fill: hexOf(inLight(stone, light)) }];
};

const peakFacets = (peak: Peak): Facet[] => {
  const random = randomFrom(peak.seed);
  return trianglesOf(ringsOf(random, peak))
    .sort((one, other) => middle(one, 2) - middle(other, 2))
    .flatMap((triangle) => triangleFacet(triangle, peak, random));
};

const slate: Oklch = { lightness: 0.47, chroma: 0.05, hue: 256 };
const farSlate: Oklch = { lightness: 0.5, chroma: 0.035, hue: 250 };

const range: readonly Peak[] = [
  {
    seed: 'far-left',
    x: 238,
    foot: 770,
    halfWidth: 225,
    height: 330,
    stone: farSlate,
    snowFrom: 0.74,
    rings: 5,
    ridges: 8,
  },
  {
    seed: 'far-right',
    x: 972,
    foot: 770,
    halfWidth: 225,
    height: 400,
    stone: farSlate,
    snowFrom: 0.72,
    rings: 5,
    ridges: 8,
  },
  { seed: 'summit', x: 605, foot: 770, halfWidth: 470, height: 735, stone: slate, snowFrom: 0.68, rings: 9, ridges: 9 },
];

const boulders = [
  { colour: 'charcoal-slate', x: 52, y: 836, scale: 0.45 },
  { colour: 'powder-blue', x: 140, y: 832, scale: 0.8 },
  { colour: 'cool-cobalt', x: 258, y: 842, scale: 0.5 },
  { colour: 'azure-pulse', x: 1052, y: 834, scale: 0.75 },
  { colour: 'ocean-stone', x: 934, y: 842, scale: 0.55 },
  { colour: 'frosted-mist', x: 1144, y: 840, scale: 0.36 },
] as const;

/** Rock Mountain, the range behind it and a boulder of each colour at its foot. */
function mountainFacets(): Facet[] {
  const strewn = boulders.flatMap(({ colour, x, y, scale }) => {
    const { facets, box } = hewRock({ seed: `foot-${colour}`, colour, faces: 18, chips: 16 });
    return placed(facets, x, y - box.bottom * scale, scale);
  });
  return [...range.flatMap(peakFacets), ...strewn];
}

export const mountainSvg = (): string =>
  svgDocument({ left: 0, top: 0, width: mountainWidth, height: mountainHeight }, facetPaths(mountainFacets()));
