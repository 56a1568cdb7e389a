import { hexOf, inLight, type Oklch } from './colour.ts';
import { type StoneName, stones } from './palette.ts';
import { type Cut, dot, type Face, reachOf, ridgesOf, solidOf, unit, type Vector } from './polyhedron.ts';
import { between, type Random, randomFrom } from './random.ts';

export type { StoneName } from './palette.ts';

/** How a rock is hewn. The same options give the same rock, byte for byte. */
export interface RockOptions {
  readonly seed: string;
  readonly colour: StoneName;
  /** Half width, half height and half depth; 1 is the usual size. */
  readonly size?: Vector;
  /** Flat on top as well, so that another rock can lie on it. */
  readonly flatTop?: boolean;
  /** How many big faces before the ridges are chipped: 10 for a sign, 26 for a portrait. */
  readonly faces?: number;
  readonly chips?: number;
}

/** One facet: points in drawing units (y down), its fill, and how bright it is (0..1). */
export interface Facet {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly fill: string;
}

/** Facets of one rock and the box they fill. */
export interface Rock {
  readonly facets: readonly Facet[];
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** Every drawing of the product is lit from the upper left, a little from the front. */
const lightFrom = unit([-0.55, 0.72, 0.5]);
/** A portrait that shows fewer facets than this is hewn again from another seed. */
const facetsMin = 20;
const viewTilt = 0.3;
const unitPx = 80;

/** Directions spread evenly (a spiral over the sphere), then shaken, so that no two faces look alike. */
const spreadDirections = (random: Random, count: number): Vector[] => {
  const turn = random() * Math.PI * 2;
  return Array.from({ length: count }, (_, index) => {
    const height = 1 - (2 * (index + 0.5)) / count;
    const ring = Math.sqrt(1 - height * height);
    const angle = turn + index * 2.399963;
    const shake = (): number => between(random, -0.24, 0.24);
    return unit([ring * Math.cos(angle) + shake(), height + shake(), ring * Math.sin(angle) + shake()]);
  });
};

const ellipsoidReach = ([x, y, z]: Vector, [a, b, c]: Vector): number => Math.hypot(x * a, y * b, z * c);

const mainCuts = (random: Random, options: RockOptions): Cut[] => {
  const size = options.size ?? [1.12, 0.9, 1];
  const sides = spreadDirections(random, options.faces ?? 26).map((normal) => ({
    normal,
    distance: ellipsoidReach(normal, size) * between(random, 0.76, 0.98),
  }));
  const base: Cut = { normal: [0, -1, 0], distance: size[1] * 0.66 };
  const top: Cut = { normal: unit([between(random, -0.05, 0.05), 1, 0.06]), distance: size[1] * 0.66 };
  return options.flatTop === true ? [base, top, ...sides] : [base, ...sides];
};

/** A narrow face along an edge, as a hammer leaves it: slightly askew, so that it runs out towards one end. */
const chipCuts = (random: Random, faces: readonly Face[], count: number): Cut[] =>
  ridgesOf(faces)
    .filter(({ outward }) => outward[1] > -0.5)
    .slice(0, count * 2)
    .filter(() => random() < 0.62)
    .slice(0, count)
    .map(({ outward }) => {
      const shake = (): number => between(random, -0.16, 0.16);
      const normal = unit([outward[0] + shake(), outward[1] + shake(), outward[2] + shake()]);
      return { normal, distance: reachOf(faces, normal) - between(random, 0.02, 0.1) };
    });

const tilted = ([x, y, z]: Vector): Vector => [
  x,
  y * Math.cos(viewTilt) - z * Math.sin(viewTilt),
  y * Math.sin(viewTilt) + z * Math.cos(viewTilt),
];

/** 0..1: how bright a face is under the one light, with a breath of sky from above. */
export function brightness(normal: Vector): number {
  const sun = Math.max(0, dot(normal, lightFrom));
  const sky = 0.5 + 0.5 * normal[1];
  return Math.min(1, 0.04 + 0.78 * sun + 0.2 * sky);
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A face as it is seen, or nothing when it is turned away. */
function seen(face: Face, stone: Oklch, random: Random): Facet[] {
  const normal = tilted(face.normal);
  if (normal[2] <= 0.015) return [];
  const light = Math.min(1, Math.max(0, brightness(normal) + between(random, -0.025, 0.025)));
  const points = face.corners.map((corner) => {
    const [x, y] = tilted(corner);
    return [rounded(x * unitPx), rounded(-y * unitPx)] as const;
  });
  return [{ points, fill: hexOf(inLight(stone, light)) }];
}

export function boxOf(facets: readonly Facet[]): Rock['box'] {
  const xs = facets.flatMap(({ points }) => points.map(([x]) => x));
  const ys = facets.flatMap(({ points }) => points.map(([, y]) => y));
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/**
 * Hews a rock: a solid cut out by planes, its long ridges chipped, then drawn as the facets that face the viewer.
 * About 80 drawing units to the unit of size; the ground is the lowest point.
 */
export function hewRock(options: RockOptions): Rock {
  const rock = hewOnce(options);
  const tooPlain = options.faces === undefined && rock.facets.length < facetsMin;
  return tooPlain ? hewRock({ ...options, seed: `${options.seed}'` }) : rock;
}

function hewOnce(options: RockOptions): Rock {
  const random = randomFrom(`${options.seed}/${options.colour}`);
  const rough = mainCuts(random, options);
  const chipped = [...rough, ...chipCuts(random, solidOf(rough), options.chips ?? 30)];
  const facets = solidOf(chipped).flatMap((face) => seen(face, stones[options.colour], random));
  return { facets, box: boxOf(facets) };
}
