import { withCommas } from '../../shared/money.ts';

/** The most that the bot counts to: a maximum supply is a whole number from 1 to a billion. */
export const supplyMax = 1_000_000_000;

/** Specification 4: min(round(minted / maxSupply * 100), 100); 0 when there is no supply. */
export const mintPercent = (mintedCount: number, maxSupply: number | null): number =>
  maxSupply === null || maxSupply <= 0 ? 0 : Math.min(Math.round((mintedCount / maxSupply) * 100), 100);

/** Specification 4: fully minted when minted >= max supply. */
export const isFullyMinted = (mintedCount: number, maxSupply: number | null): boolean =>
  maxSupply !== null && maxSupply > 0 && mintedCount >= maxSupply;

const barLength = 10;

/** `10,000`. */
export const countText = (count: number): string => withCommas(String(count));

/** `▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted`; only the count without a supply (specification 4). */
export const progressText = (mintedCount: number, maxSupply: number | null): string => {
  if (maxSupply === null || maxSupply <= 0) return `${countText(mintedCount)} minted`;
  const percent = mintPercent(mintedCount, maxSupply);
  const filled = Math.floor((percent / 100) * barLength);
  const bar = '▰'.repeat(filled) + '▱'.repeat(barLength - filled);
  const share = isFullyMinted(mintedCount, maxSupply) ? 'FULLY MINTED' : `${percent}%`;
  return `${bar} ${share} · ${countText(mintedCount)} / ${countText(maxSupply)} minted`;
};
