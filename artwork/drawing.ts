import { hewRock, type Facet, type Rock, type RockOptions } from './rock.ts';

const text = (value: number): string => String(Math.round(value * 10) / 10);

/** Facets as SVG paths. The thin stroke of their own colour closes the hairlines between neighbours. */
export const facetPaths = (facets: readonly Facet[]): string =>
  facets
    .map(({ points, fill }) => {
      const line = points.map(([x, y]) => `${text(x)} ${text(y)}`).join('L');
      return `<path fill="${fill}" stroke="${fill}" d="M${line}Z"/>`;
    })
    .join('');

/** The same facets elsewhere: moved, and scaled about the origin first. */
export const placed = (facets: readonly Facet[], x: number, y: number, scale = 1): Facet[] =>
  facets.map(({ points, fill }) => ({
    fill,
    points: points.map(([px, py]) => [px * scale + x, py * scale + y] as const),
  }));

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A whole SVG document. No style attributes and no text, so that it shows under any content security policy. */
export const svgDocument = ({ left, top, width, height }: Frame, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${text(left)} ${text(top)} ${text(width)} ${text(height)}" ` +
  `width="${text(width)}" height="${text(height)}" stroke-width=".6" stroke-linejoin="round">${body}</svg>`;

export const frameAround = ({ left, top, right, bottom }: Rock['box'], margin: number): Frame => ({
  left: left - margin,
  top: top - margin,
  width: right - left + 2 * margin,
  height: bottom - top + 2 * margin,
});

/** The rock's shadow on the ground: flat, thrown to the right, away from the light. */
export const groundShadow = ({ left, right, bottom }: Rock['box'], opacity = 0.28): string => {
  const width = right - left;
  const at = (share: number, down: number): string => `${text(left + width * share)} ${text(bottom + down)}`;
  const outline = [at(0.02, -6), at(0.2, 3), at(0.62, 6), at(0.98, 2), at(1.16, -5), at(0.9, -13), at(0.3, -12)];
  return `<path fill="#05080f" opacity="${opacity}" d="M${outline.join('L')}Z"/>`;
};

/** One rock on its own as an SVG document of a few kB, fit for a page, a chat card or a marketplace. */
export function rockSvg(options: RockOptions): string {
  const rock = hewRock(options);
  return svgDocument(frameAround(rock.box, 4), facetPaths(rock.facets));
}
