import { rockSvg } from './drawing.ts';
import { type StoneName, stones } from './palette.ts';

const portraitSeed = 'portrait';

/** The rock that stands for one colour of the collection. */
export const portraitOf = (colour: StoneName): string => rockSvg({ seed: portraitSeed, colour });

/** Every picture of the site by file name, drawn when asked for. */
export const gallery: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    (Object.keys(stones) as StoneName[]).map((colour) => [`rock-${colour}`, () => portraitOf(colour)]),
  ),
};
