import { facetPaths, placed, svgDocument } from './drawing.ts';
import { boxOf, type Facet, hewRock, type RockOptions } from './rock.ts';

/** Paint lines by hand: ochre on stone, drawn with one finger. Coordinates are drawing units, y down. */
const mammoth =
  'M6 96C2 60 22 34 52 30C62 12 92 4 110 22C124 16 140 22 146 36C158 40 164 52 163 66C172 78 172 96 160 108' +
  'M160 108C154 112 150 108 152 103M139 60C150 78 168 90 186 86M128 62C136 84 152 100 172 102' +
  'M14 100L16 136L32 136L34 104M54 108L56 138L72 138L74 106M104 104L106 138L122 138L124 96' +
  'M6 96C20 108 60 114 96 106C110 102 122 96 130 88M10 62C4 66 2 74 4 80M60 40L56 52M74 34L72 48M90 32L90 46M42 48L38 58M106 38L108 50';
const mammothEye = 'M136 46L137 47';

/** A hunter with open arms: who took my rock? */
const shrugging = 'M24 20L25 52M25 52L14 84M25 52L38 83M24 28L8 34L2 20M24 28L40 33L47 19M24 12A7 7 0 1 1 24.2 12';
const pushing =
  'M18 16L30 44M30 44L18 64L22 88M30 44L44 62L36 86M20 22L40 26L54 18M22 28L42 34L56 30M13 8A6.5 6.5 0 1 1 13.2 8.1';
const tracking =
  'M18 16L30 44M30 44L18 64L22 88M30 44L44 62L36 86M20 22L44 8M22 28L52 26M34-14L62 44M13 8A6.5 6.5 0 1 1 13.2 8.1';
const sitting = 'M20 18L18 46M18 46L40 48L42 72M18 46L36 56L34 74M20 26L34 34L44 26M20 10A6.5 6.5 0 1 1 20.2 10';
const question = 'M4 12C4 2 22 0 22 12C22 20 13 20 13 30M13 38L13 39';

const ochre = '#d9823b';

const painted = (line: string, x: number, y: number, scale: number, width = 4): string =>
  `<path fill="none" stroke="${ochre}" stroke-width="${width}" stroke-linecap="round" ` +
  `transform="translate(${x} ${y}) scale(${scale})" d="${line}"/>`;

const tallies = (x: number, y: number, bundles: number): string =>
  Array.from({ length: bundles }, (_, bundle) =>
    painted('M0 0L-1 22M8 1L7 23M16-1L16 22M24 1L23 22M-5 17L29 4', x + bundle * 44, y, 1, 3),
  ).join('');

/** The outline of a rock that is not there. */
const missing = (facets: readonly Facet[]): string => {
  const points = facets.flatMap((facet) => facet.points);
  const middle = boxOf(facets);
  const [x, y] = [(middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2];
  const outline = Array.from({ length: 22 }, (_, index) => {
    const angle = (index / 22) * Math.PI * 2;
    const reach = ([px, py]: readonly [number, number]): number =>
      (px - x) * Math.cos(angle) + (py - y) * Math.sin(angle);
    return points.reduce((far, point) => (reach(point) > reach(far) ? point : far));
  });
  const line = outline.map(([px, py]) => `${px} ${py}`).join('L');
  return (
    `<path fill="none" stroke="${ochre}" stroke-width="4" stroke-dasharray="14 12" stroke-linecap="round" ` +
    `d="M${line}Z"/>`
  );
};

const stood = (options: RockOptions, x: number, y: number, scale: number): Facet[] => {
  const { facets, box } = hewRock(options);
  return placed(facets, x, y - box.bottom * scale, scale);
};

const groundLine = (width: number, y: number): string =>
  `<path fill="none" stroke="${ochre}" stroke-width="3" stroke-linecap="round" opacity=".7" ` +
  `d="M14 ${y}L${width * 0.2} ${y - 3} ${width * 0.4} ${y + 1} ${width * 0.65} ${y - 2} ${width - 14} ${y}"/>`;

/** The scene of the not-found page: a gap in the row of rocks, a hunter who cannot explain it, and a witness. */
export function lostRockSvg(): string {
  const [width, ground] = [860, 282];
  const left = stood({ seed: 'lost-left', colour: 'cool-cobalt' }, 110, ground, 1.1);
  const gap = stood({ seed: 'lost-rock', colour: 'azure-pulse' }, 404, ground, 1.15);
  const right = stood({ seed: 'lost-right', colour: 'ocean-stone' }, 560, ground, 0.62);
  const hunter = painted(shrugging, 222, ground - 110, 1.3) + painted(question, 236, ground - 172, 1);
  const witness = painted(mammoth, 634, ground - 152, 1.1, 4.5) + painted(mammothEye, 634, ground - 152, 1.1, 7);
  return svgDocument(
    { left: 0, top: 0, width, height: ground + 24 },
    tallies(560, 40, 3) +
      groundLine(width, ground + 4) +
      witness +
      facetPaths([...left, ...right]) +
      missing(gap) +
      hunter,
  );
}

/** A mammoth on its way and the marks of those who count it: the tracker bot's picture. */
export const trackerSvg = (): string =>
  svgDocument(
    { left: 0, top: 0, width: 400, height: 200 },
    painted(mammoth, 196, 44, 1.05, 4.5) +
      painted(mammothEye, 196, 44, 1.05, 7) +
      painted(tracking, 40, 92, 1.1) +
      painted('M0 6L6 0M14 10L20 4M28 6L34 0M42 10L48 4', 106, 178, 1, 3.5) +
      tallies(30, 26, 2) +
      groundLine(400, 194),
  );

/** The wall behind the hero: faint, so that words stand in front of it. */
export const caveWallSvg = (): string =>
  svgDocument(
    { left: 0, top: 0, width: 900, height: 220 },
    painted(mammoth, 20, 39, 1.05) +
      painted(mammothEye, 20, 39, 1.05, 7) +
      painted(sitting, 262, 118, 0.9) +
      painted(pushing, 440, 96, 1) +
      painted('M4 44L10 14L36 2L64 8L76 34L68 58L38 66L12 60Z', 500, 92, 1.1) +
      painted('M0 60L390 62L560 48L730-4', 10, 126, 1, 3) +
      tallies(640, 40, 5),
  );
