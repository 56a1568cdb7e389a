import { describe, expect, test } from 'vitest';
import { cairnLayers } from '../../artwork/gallery.ts';
import { rockColors } from '../shared/rock-colors.ts';
import { collection, notFound, phases, rockmapTitle } from './content.ts';

describe('specification 3, rock color distribution', () => {
  test('the six colors with their percent and count', () => {
    expect(rockColors.map(({ name, percent, count }) => [name, percent, count])).toEqual([
      ['Powder Blue', '28.83%', 160],
      ['Azure Pulse', '21.62%', 120],
      ['Cool Cobalt', '18.02%', 100],
      ['Ocean Stone', '15.32%', 85],
      ['Charcoal Slate', '10.81%', 60],
      ['Frosted Mist', '5.41%', 30],
    ]);
  });

  test('the counts sum to the total supply of 555', () => {
    expect(rockColors.reduce((sum, { count }) => sum + count, 0)).toBe(collection.totalSupply);
    expect(collection.totalSupply).toBe(555);
  });

  test('each percent is its count of 555, to two decimals', () => {
    for (const { percent, count } of rockColors) expect(percent).toBe(`${((count / 555) * 100).toFixed(2)}%`);
  });

  test('the cairn on the home page is built from the same counts', () => {
    expect(cairnLayers).toEqual(rockColors.map(({ stone, count }) => ({ colour: stone, count })));
  });
});

describe('specification 2, home', () => {
  test("'Rockmap: Quest to Rock Mountain' has six phases: one completed, one current, four upcoming", () => {
    expect(rockmapTitle).toBe('Rockmap: Quest to Rock Mountain');
    expect(phases.map(({ number, title, status }) => [number, title, status])).toEqual([
      [1, 'Mint Begins', 'completed'],
      [2, 'NFT Sweeping, Degen Plays', 'current'],
      [3, 'Minted Out, futures trading begins', 'upcoming'],
      [4, 'Regular revenue distributions to rock holders', 'upcoming'],
      [5, 'Telegram-style bot for NFT tracking', 'upcoming'],
      [6, 'NFT-gated call channel for futures entry signals', 'upcoming'],
    ]);
  });
});

test('specification 9: 555 rocks at 10 SUI, in numbers as in words', () => {
  expect(collection.mintPriceSui).toBe(10);
  expect(collection.totalSupplyText).toBe(`${collection.totalSupply} Rocks`);
  expect(collection.mintPriceText).toBe(`${collection.mintPriceSui} SUI`);
  expect(collection.mintLinkText).toBe(`Mint Your Own Rock for ${collection.mintPriceText}`);
});

test('specification 2, not-found page: its texts', () => {
  expect(notFound).toEqual({
    code: '404',
    title: 'Rock Not Found!',
    text: "Looks like this cave painting doesn't exist. Perhaps it was lost in prehistoric times?",
    wayHome: 'Back to Cave Home',
  });
});
