import { describe, expect, test } from 'vitest';
import { rockSvg } from './drawing.ts';
import { cairnLayers, gallery } from './gallery.ts';
import { type StoneName, stones } from './palette.ts';
import { hewRock } from './rock.ts';

const names = Object.keys(stones) as StoneName[];
const seeds = Array.from({ length: 30 }, (_, index) => `seed-${index}`);
const every = names.flatMap((colour) => seeds.map((seed) => ({ seed, colour })));

const lightnessOf = (fill: string): number =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(fill.slice(at, at + 2), 16), 0) / 765;

const areaOf = (points: readonly (readonly [number, number])[]): number =>
  Math.abs(
    points.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = points[(index + 1) % points.length]!;
      return sum + x * nextY - nextX * y;
    }, 0),
  ) / 2;

describe('the rock generator', () => {
  test('gives the same rock for the same seed and colour, byte for byte', () => {
    for (const options of every.slice(0, 60)) expect(rockSvg(options)).toBe(rockSvg({ ...options }));
  });

  test('gives another rock for another seed', () => {
    expect(new Set(every.map(rockSvg)).size).toBe(every.length);
  });

  test('draws 20 to 60 facets in at most 6 kB', () => {
    for (const options of every) {
      const { facets } = hewRock(options);
      expect(facets.length, JSON.stringify(options)).toBeGreaterThanOrEqual(20);
      expect(facets.length, JSON.stringify(options)).toBeLessThanOrEqual(60);
      expect(rockSvg(options).length).toBeLessThanOrEqual(6_000);
    }
  });

  test('has a closed face: its facets cover its outline once', () => {
    for (const options of every.slice(0, 40)) {
      const { facets, box } = hewRock(options);
      const covered = facets.reduce((sum, { points }) => sum + areaOf(points), 0);
      const whole = (box.right - box.left) * (box.bottom - box.top);
      expect(covered / whole).toBeGreaterThan(0.6);
      expect(covered / whole).toBeLessThanOrEqual(1);
    }
  });

  test('is lit from the upper left: facets there are brighter than at the lower right', () => {
    for (const options of every) {
      const { facets, box } = hewRock(options);
      const side = (facet: (typeof facets)[number]): number => {
        const [x, y] = facet.points[0]!;
        return (x - box.left) / (box.right - box.left) + (y - box.top) / (box.bottom - box.top);
      };
      const mean = (some: typeof facets): number =>
        some.reduce((sum, { fill }) => sum + lightnessOf(fill), 0) / some.length;
      const upperLeft = mean(facets.filter((facet) => side(facet) < 0.8));
      const lowerRight = mean(facets.filter((facet) => side(facet) > 1.2));
      expect(upperLeft, JSON.stringify(options)).toBeGreaterThan(lowerRight);
    }
  });
});

describe('the gallery', () => {
  test('has a portrait of each of the six colours', () => {
    for (const name of names) expect(gallery[`rock-${name}`]?.()).toContain('<svg');
  });

  test('draws nothing that a strict content security policy refuses, and no text', () => {
    for (const [name, draw] of Object.entries(gallery)) {
      const svg = draw();
      expect(svg, name).not.toMatch(/style|script|href|<text|NaN|undefined/);
      expect(svg.length, name).toBeLessThan(40_000);
    }
  });

  test('its cairn has one stone for each color of the collection, 555 rocks in all', () => {
    expect(cairnLayers.reduce((sum, { count }) => sum + count, 0)).toBe(555);
    expect(cairnLayers.map(({ colour }) => colour).sort()).toEqual(names.toSorted());
  });
});
