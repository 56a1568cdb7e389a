import type { Oklch } from './colour.ts';

/** The six colours of the collection (specification 3) and nothing else: sites, bots and images share them. */
export const stones = {
  'powder-blue': { lightness: 0.79, chroma: 0.062, hue: 238 },
  'azure-pulse': { lightness: 0.65, chroma: 0.15, hue: 245 },
  'cool-cobalt': { lightness: 0.48, chroma: 0.155, hue: 264 },
  'ocean-stone': { lightness: 0.55, chroma: 0.082, hue: 205 },
  'charcoal-slate': { lightness: 0.43, chroma: 0.024, hue: 258 },
  'frosted-mist': { lightness: 0.89, chroma: 0.022, hue: 235 },
} as const satisfies Record<string, Oklch>;

export type StoneName = keyof typeof stones;
