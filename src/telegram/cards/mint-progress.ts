/** Specification 4: min(round(minted / maxSupply * 100), 100); 0 when there is no supply. */
export const mintPercent = (mintedCount: number, maxSupply: number | null): number =>
  maxSupply === null || maxSupply <= 0 ? 0 : Math.min(Math.round((mintedCount / maxSupply) * 100), 100);

/** Specification 4: fully minted when minted >= max supply. */
export const isFullyMinted = (mintedCount: number, maxSupply: number | null): boolean =>
  maxSupply !== null && maxSupply > 0 && mintedCount >= maxSupply;
