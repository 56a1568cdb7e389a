import { cleanText } from '../../shared/clean-text.ts';

/** How long a symbol or a name from outside may get; longer ones are cut. */
export const symbolLengthMax = 32;
export const nameLengthMax = 100;
const iconUrlLengthMax = 2_000;

/** An icon is shown only from https; anything else (data:, http:, javascript:) is left out. */
export const cleanIconUrl = (url: string | null): string | null =>
  url !== null && url.length <= iconUrlLengthMax && /^https:\/\/[^\s"'<>\\]+$/i.test(url)
    ? cleanText(url, iconUrlLengthMax)
    : null;
