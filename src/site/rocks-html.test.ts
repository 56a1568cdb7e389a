import { describe, expect, test } from 'vitest';
import { rockHead, rockNoscriptHtml, rocksNoscriptHtml } from './rocks-html.ts';
import { placeText, rarityText, suiText, usdText } from './web/rocks/rock-words.ts';
import type { ShownRock, ShownRocks } from './web/rocks/rocks-answer.ts';

const rock: ShownRock = {
  number: 12,
  objectId: '0x1',
  name: 'Rock #12',
  color: 'Frosted Mist',
  imageUrl: null,
  owner: { address: `0x${'ab'.repeat(32)}`, name: null },
  place: 'kiosk',
  kioskId: null,
  listing: { priceMist: '12500000000', market: 'tradeport' },
  lastSale: null,
};
const receipt = {
  payout: 3,
  title: 'October 2026',
  at: '2026-11-18T09:00:00Z',
  address: `0x${'cd'.repeat(32)}`,
  coin: { type: '0x2::sui::SUI', symbol: 'SUI', decimals: 9 },
  raw: '250000000',
  digest: '8Kd',
  explorerUrl: 'https://explorer.example/txblock/8Kd',
};
const first: ShownRocks = {
  asOf: '2026-11-20T20:33:00Z',
  state: 'live',
  total: 412,
  page: 1,
  pageSize: 60,
  rocks: [rock],
  colors: [
    {
      color: 'Frosted Mist',
      supply: 30,
      minted: 20,
      listed: 0,
      floorMist: null,
      holders: 9,
      sales7d: 0,
      volume7dMist: '0',
    },
  ],
};

describe('the rocks without JavaScript', () => {
  test('are listed with number, color, price and owner, each leading to its page', () => {
    const html = rocksNoscriptHtml(first);
    expect(html).toContain('<a class="link" href="/rocks/12">Rock #12</a>');
    const owner = `<a class="link" href="/holders/0x${'ab'.repeat(32)}">0xabab…abab</a>`;
    expect(html).toContain(`<td>Frosted Mist</td><td>12.5 SUI</td><td>${owner}</td>`);
    expect(html).toContain('1 of 412 rocks (live, as of 2026-11-20 20:33 UTC)');
    expect(html).toContain('<td>none listed</td>');
  });

  test('never turn outside text into markup', () => {
    const owner = { address: '0x1', name: '<img src=x onerror=alert(1)>' };
    const html = rocksNoscriptHtml({ ...first, rocks: [{ ...rock, color: '"><script>', owner }] });
    expect(html).not.toMatch(/<img|<script/);
  });

  test('are not invented when nothing was read', () => {
    for (const unread of [null, { ...first, state: 'unavailable' as const, rocks: [] }]) {
      expect(rocksNoscriptHtml(unread)).toContain('have not been read yet');
    }
  });
});

describe('a rock without JavaScript', () => {
  const html = rockNoscriptHtml(
    { ...rock, lastSale: { priceMist: '10000000000', at: '2026-11-19T10:00:00Z', digest: null } },
    [receipt],
    'https://explorer.example',
  );

  test.each([
    ['Color', 'Frosted Mist. 30 of 555 rocks are Frosted Mist, 5.41%.'],
    ['Price', '12.5 SUI'],
    ['Owner', `<a class="link" href="/holders/0x${'ab'.repeat(32)}">0xabab…abab</a>`],
    ['Last sale', '10 SUI, 2026-11-19 10:00 UTC'],
  ])('shows its %s', (term, fact) => {
    expect(html).toContain(`<dt>${term}</dt><dd>${fact}</dd>`);
  });

  test('shows what it received in payouts, each with its transaction', () => {
    expect(html).toContain('<th scope="row"><a class="link" href="/payouts/3">October 2026</a></th><td>0.25 SUI</td>');
    expect(html).toContain(
      '<td>2026-11-18 09:00 UTC</td><td><a class="link" href="https://explorer.example/txblock/8Kd">8Kd</a></td>',
    );
    expect(rockNoscriptHtml(rock, [], '')).not.toContain('What it received');
  });

  test('never turns outside text into markup, and invents nothing', () => {
    const owner = { address: '"><script>', name: '<img src=x>' };
    const hostile = { ...rock, name: '<b>x</b>', color: '<i>', objectId: '"><script>', owner };
    const paid = { ...receipt, title: '<b>x</b>', coin: { ...receipt.coin, symbol: '<i>' } };
    expect(rockNoscriptHtml(hostile, [paid], 'https://explorer.example')).not.toMatch(/<(?:img|script|i|b)[ >]/);
    expect(rockNoscriptHtml(null, [], '')).toContain('has not been read yet');
  });
});

describe("the head of a rock's page", () => {
  test('says number, color and price', () => {
    expect(rockHead(12, rock)).toEqual({
      rockNumber: '12',
      rockCard: '/rock-images/12/card.png?at=12.5%20SUI',
      rockTitle: 'Rock #12, Frosted Mist | Sui Rocks',
      rockDescription:
        'Rock #12 of the Sui Rocks collection. 30 of 555 rocks are Frosted Mist, 5.41%. For sale at 12.5 SUI. ' +
        'Its owner, its sales and its history, read from the chain.',
    });
  });

  test('invents nothing where nothing is known', () => {
    const { rockTitle, rockDescription, rockCard } = rockHead(7, null);
    expect(rockCard).toBe('/rock-images/7/card.png');
    expect(rockTitle).toBe('Rock #7 | Sui Rocks');
    expect(rockDescription).not.toMatch(/sale at|null/);
  });
});

describe('words of a rock', () => {
  test.each([
    ['12500000000', '12.5 SUI'],
    ['10000000000', '10 SUI'],
    ['1234567890123', '1,234.57 SUI'],
    ['4000000', '0.004 SUI'],
    // The same as on the bot's card of that sale (rulings R4).
    ['12345678', '0.01235 SUI'],
    ['0', '0 SUI'],
  ])('%s MIST is %s', (mist, words) => {
    expect(suiText(mist)).toBe(words);
  });

  test.each([
    [1247.5, '$1,247.50'],
    [0.0024, '<$0.01'],
    [0.005, '$0.01'],
    [0, '$0.00'],
    [null, 'Not known'],
  ])('a share of %s USD is %s', (usd, words) => {
    expect(usdText(usd)).toBe(words);
  });

  test('say nothing of a color or a place that is not known', () => {
    expect(rarityText('Pink')).toBeNull();
    expect(placeText(null)).toBe('Not known');
  });
});
