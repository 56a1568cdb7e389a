/**
 * Capitals and digits of straight strokes, as if hewn: pictures that a server draws need no font. Each letter stands on a grid of six
 * units' height; strokes are parted by `|`, points by spaces.
 */
const letters: Readonly<Record<string, string>> = {
  A: '0,6 0,2 2,0 4,2 4,6|0,4 4,4',
  B: '0,3 3,3 4,2 4,1 3,0 0,0 0,6 3,6 4,5 4,4 3,3',
  C: '4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5',
  D: '0,3 0,0 2.5,0 4,1.5 4,4.5 2.5,6 0,6 0,3',
  E: '4,0 0,0 0,6 4,6|0,3 3,3',
  F: '4,0 0,0 0,6|0,3 3,3',
  G: '4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5 4,3 2.2,3',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  I: '0,0 0,6',
  J: '3,0 3,5 2,6 1,6 0,5',
  K: '0,0 0,6|4,0 0,3.6|1.3,2.5 4,6',
  L: '0,0 0,6 3.5,6',
  M: '0,6 0,0 2.5,3 5,0 5,6',
  N: '0,6 0,0 4,6 4,0',
  O: '2,0 1,0 0,1 0,5 1,6 3,6 4,5 4,1 3,0 2,0',
  P: '0,6 0,0 3,0 4,1 4,2.5 3,3.5 0,3.5',
  Q: '2,0 1,0 0,1 0,5 1,6 3,6 4,5 4,1 3,0 2,0|2.6,4.4 4.2,6.4',
  R: '0,6 0,0 3,0 4,1 4,2.5 3,3.5 0,3.5|2,3.5 4,6',
  S: '4,1 3,0 1,0 0,1 0,2 1,3 3,3 4,4 4,5 3,6 1,6 0,5',
  T: '0,0 4,0|2,0 2,6',
  U: '0,0 0,5 1,6 3,6 4,5 4,0',
  V: '0,0 2,6 4,0',
  W: '0,0 1.25,6 2.5,2 3.75,6 5,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
  Z: '0,0 4,0 0,6 4,6',
  0: '2,0 1,0 0,1 0,5 1,6 3,6 4,5 4,1 3,0 2,0',
  1: '0,1.2 1.6,0 1.6,6',
  2: '0,1 1,0 3,0 4,1 4,2 0,6 4,6',
  3: '0,1 1,0 3,0 4,1 4,2 3,3 1.5,3|3,3 4,4 4,5 3,6 1,6 0,5',
  4: '3,6 3,0 0,4 4,4',
  5: '4,0 0,0 0,2.5 3,2.5 4,3.5 4,5 3,6 1,6 0,5',
  6: '4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5 4,3.5 3,2.5 0,2.5',
  7: '0,0 4,0 1.5,6',
  8: '2,3 1,3 0,2 0,1 1,0 3,0 4,1 4,2 3,3 1,3 0,4 0,5 1,6 3,6 4,5 4,4 3,3',
  9: '0,5 1,6 3,6 4,5 4,1 3,0 1,0 0,1 0,2.5 1,3.5 4,3.5',
  '#': '1.4,0 0.8,6|3.4,0 2.8,6|0.2,2 4.2,2|0,4 4,4',
  '.': '0,5.1 0,6',
  ',': '0.5,5.1 0,6.9',
};

const gap = 2;
const spaceWidth = 2.6;
const strokeWidth = 0.95;

type Stroke = readonly (readonly [x: number, y: number])[];

const strokesOf = (letter: string): readonly Stroke[] =>
  (letters[letter] ?? '').split('|').flatMap((line) => {
    const points = line.split(' ').flatMap((pair) => {
      const [x, y] = pair.split(',').map(Number);
      return x === undefined || y === undefined ? [] : [[x, y] as const];
    });
    return points.length === 0 ? [] : [points];
  });

const widthOf = (strokes: readonly Stroke[]): number =>
  strokes.length === 0 ? spaceWidth - gap : Math.max(...strokes.flat().map(([x]) => x));

const text = (value: number): string => String(Math.round(value * 10) / 10);

export interface Line {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  /** A longer line is written smaller. */
  readonly widthMax: number;
  readonly colour: string;
}

/** A line of capitals and digits as an SVG path. What is no letter of these is a space. */
export function lettering(words: string, { left, top, height, widthMax, colour }: Line): string {
  const signs = Array.from(words.toUpperCase(), strokesOf);
  const width = signs.reduce((sum, strokes) => sum + widthOf(strokes) + gap, -gap);
  const scale = Math.min(height / 6, widthMax / Math.max(width, 1));
  let x = left;
  const lines = signs.flatMap((strokes) => {
    const from = x;
    x += (widthOf(strokes) + gap) * scale;
    return strokes.map(
      (points) => `M${points.map(([px, py]) => `${text(from + px * scale)} ${text(top + py * scale)}`).join('L')}`,
    );
  });
  return (
    `<path fill="none" stroke="${colour}" stroke-width="${text(strokeWidth * scale)}" stroke-linejoin="miter" stroke-miterlimit="2" ` +
    `stroke-linecap="butt" d="${lines.join('')}"/>`
  );
}
