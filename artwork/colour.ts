/** A colour as people judge it: lightness 0..1, chroma 0..0.4, hue in degrees. */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

const gamma = (linear: number): number => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);

const hexByte = (linear: number): string =>
  Math.round(Math.min(1, Math.max(0, gamma(Math.min(1, Math.max(0, linear))))) * 255)
    .toString(16)
    .padStart(2, '0');

/** `#rrggbb`, clipped into sRGB. Formulae: Björn Ottosson, "A perceptual color space for image processing" (2020). */
export function hexOf({ lightness, chroma, hue }: Oklch): string {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return `#${hexByte(red)}${hexByte(green)}${hexByte(blue)}`;
}

const shadowHue = 264;
const darkest = 0.17;
const palest = 0.975;

/**
 * The same stone in more or less light; `light` is 0 (turned away) to 1 (facing the light). Shadows drift towards blue
 * violet, lit faces pale and lose chroma, as stone does under an open sky.
 */
export function inLight(stone: Oklch, light: number): Oklch {
  const depth = (light - 0.55) / 0.45;
  const target = depth < 0 ? darkest + stone.lightness * 0.12 : Math.min(palest, stone.lightness + 0.24);
  const share = depth < 0 ? Math.min(1, -depth / 1.22) * 0.86 : Math.min(1, depth);
  const lightness = stone.lightness + (target - stone.lightness) * share;
  const room = Math.min(1, (1 - lightness) / (1 - stone.lightness));
  return {
    lightness,
    chroma: stone.chroma * (depth < 0 ? 1 - share * 0.35 : 0.25 + 0.75 * room),
    hue: depth < 0 ? stone.hue + (shadowHue - stone.hue) * share * 0.4 : stone.hue,
  };
}
