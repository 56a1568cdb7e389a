import { describe, expect, test } from 'vitest';
import { isFullyMinted, mintPercent, progressText } from './mint-progress.ts';

describe('Specification 4: mint progress is min(round(minted / maxSupply * 100), 100), 0 without a supply', () => {
  test.each([
    [412, 555, 74, false, '▰▰▰▰▰▰▰▱▱▱ 74% · 412 / 555 minted'],
    [0, 555, 0, false, '▱▱▱▱▱▱▱▱▱▱ 0% · 0 / 555 minted'],
    [554, 555, 100, false, '▰▰▰▰▰▰▰▰▰▰ 100% · 554 / 555 minted'],
    [555, 555, 100, true, '▰▰▰▰▰▰▰▰▰▰ FULLY MINTED · 555 / 555 minted'],
    [600, 555, 100, true, '▰▰▰▰▰▰▰▰▰▰ FULLY MINTED · 600 / 555 minted'],
    [5, null, 0, false, '5 minted'],
    [5, 0, 0, false, '5 minted'],
    [1_234, 10_000, 12, false, '▰▱▱▱▱▱▱▱▱▱ 12% · 1,234 / 10,000 minted'],
  ])('%d of %s', (minted, maxSupply, percent, isFull, text) => {
    expect(mintPercent(minted, maxSupply)).toBe(percent);
    expect(isFullyMinted(minted, maxSupply)).toBe(isFull);
    expect(progressText(minted, maxSupply)).toBe(text);
  });
});
