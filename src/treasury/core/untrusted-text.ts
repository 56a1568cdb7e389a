import { cleanText } from '../../shared/clean-text.ts';
import { knownCoins } from './known-coins.ts';

/** How long a symbol or a name from outside may get; longer ones are cut. */
export const symbolLengthMax = 32;
export const nameLengthMax = 100;
const iconUrlLengthMax = 2_000;

/** An icon is shown only from https; anything else (data:, http:, javascript:) is left out. */
export const cleanIconUrl = (url: string | null): string | null =>
  url !== null && url.length <= iconUrlLengthMax && /^https:\/\/[^\s"'<>\\]+$/i.test(url)
    ? cleanText(url, iconUrlLengthMax)
    : null;

/** By Latin capital: letters of other alphabets, and Latin ones in another dress, that look like it or its small letter. */
const lookalikes: Readonly<Record<string, string>> = {
  A: 'АΑᎪꓮᴀⱭⲀ',
  B: 'ВΒᏴꓐʙɃⲂ',
  C: 'СϹϲᏟꓚᴄȻⲤ',
  D: 'ԀᎠꓓᴅĐÐ',
  E: 'ЕΕᎬꓰᴇɆⲈ',
  F: 'ϜꓝꜰƑ',
  H: 'НΗҺᎻꓧʜĦⲎ',
  I: 'ІΙӀꓲɪƗƖⲒ',
  J: 'ЈᎫꓙᴊ',
  K: 'КΚҚᏦꓗᴋⲔ',
  L: 'ᏞꓡʟŁȽⳐ',
  M: 'МΜᎷꓟᴍⲘ',
  N: 'ΝηոꓠɴⲚ',
  O: 'ОΟՕꓳᴏØⲞ',
  P: 'РΡᏢꓑᴘⲢ',
  R: 'ᎡꓣʀɌ',
  S: 'ЅՏᏚꓢꜱ',
  T: 'ТΤᎢꓔᴛŦⲦ',
  U: 'ՍυꓴᴜɄ',
  V: 'ѴνᏙꓦᴠ',
  W: 'ԜѠωաᎳꓪᴡ',
  X: 'ХΧꓫⲬ',
  Y: 'УΥγҮҰꓬʏⲨ',
  Z: 'ΖᏃꓜᴢⲌ',
};
const latinOf: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([latin, letters]) => Array.from(letters, (letter) => [letter, latin] as const)),
);

/** Whole alphabets, from A on, that have no compatibility form: in dark circles, in dark squares, of flags. */
const alphabetStarts = [0x1_f1_50, 0x1_f1_70, 0x1_f1_e6];

function inLatin(letter: string): string {
  const place = alphabetStarts.map((start) => (letter.codePointAt(0) ?? 0) - start).find((at) => at >= 0 && at < 26);
  return place === undefined ? (latinOf.get(letter) ?? letter) : String.fromCodePoint(0x41 + place);
}

const inLatinAll = (text: string): string => Array.from(text, inLatin).join('');
const printableAscii = /^[ -~]*$/;

/** Nearly every symbol is plain ASCII already. Lookalikes come first too: some small letters look like another letter than their capital. */
const unmasked = (symbol: string): string =>
  printableAscii.test(symbol) ? symbol.toUpperCase() : inLatinAll(inLatinAll(symbol).normalize('NFKD').toUpperCase());

/** What a reader sees of a symbol: lookalikes in Latin, compatibility forms folded, no accents, capitals, everything else gone. */
const skeletonOf = (symbol: string): string => unmasked(symbol).replace(/[^A-Z0-9]/g, '');

/** A small L, a one and a bar are read as themselves or as a capital I: nothing else tells `SUl` from `SUI`. */
const readingsOf = (symbol: string): readonly string[] => [
  skeletonOf(symbol),
  skeletonOf(symbol.normalize('NFKD').replaceAll(/[l1|]/g, 'I')),
];

/** Rulings R3: a known coin's symbol under another type. */
export const isImpersonator = (coinType: string, symbol: string): boolean => {
  const readings = readingsOf(symbol);
  const isKnownType = knownCoins.some((coin) => coin.coinTypes.includes(coinType));
  return !isKnownType && knownCoins.some((coin) => readings.includes(skeletonOf(coin.symbol)));
};
