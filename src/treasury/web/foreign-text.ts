import { foreignText } from '../../shared/foreign-text.ts';

/** The letter on a token's generated mark; a foreign image is never loaded. */
export function markLetter(symbol: string | null): string {
  const letter = /[\p{L}\p{N}]/u.exec(foreignText(symbol, 16))?.[0] ?? '?';
  return symbol === null || symbol.trim() === '' ? '?' : letter.toUpperCase();
}

/** `0x1234…abcd::sui::SUI`: an address or type short enough for a line, both ends kept. */
export function shortType(coinType: string): string {
  const [address = '', ...rest] = coinType.split('::');
  const short = address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
  return foreignText([short, ...rest].join('::'), 44);
}
