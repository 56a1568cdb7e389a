import { describe, expect, test } from 'vitest';
import {
  bats,
  coin,
  fact,
  held,
  market,
  meme,
  now,
  quote,
  readingOf,
  rocks,
  settings,
  sui,
  usdc,
} from '../../tests/support/treasury-reading.ts';
import { valueTreasury } from './core/valuation.ts';
import { treasuryNoscriptHtml } from './noscript-html.ts';
import { averagePriceMeaning } from './web/holdings-rows.ts';

const { snapshot } = valueTreasury(
  readingOf(
    [
      sui,
      [usdc, 1_234_567n, coin(usdc, 'USDC', 6), quote('0.9998')],
      [meme, 3n, coin(meme, '=HYPERLINK("http://x";"a")', 9), quote('0.000000001')],
      [`${meme}2`, 5n, coin(`${meme}2`, '-SPAM', 0), undefined],
    ],
    { holdings: [held(rocks, 6), held(bats, 2)], market: market(fact(rocks, { name: '<img src=x>' })) },
  ),
  settings,
  now,
);

describe('the page without scripts', () => {
  const html = treasuryNoscriptHtml(snapshot);

  test('shows totals with state, time and source, formatted as on the page with scripts', () => {
    expect(html).toContain('Total Value: <strong>$351.23</strong> (live, as of 2026-11-20 11:59 UTC');
    expect(html).toContain('SUI Holdings: <strong>100 SUI</strong>');
    expect(html).toContain('NFT Holdings: <strong>6 NFTs</strong>');
    expect(html).toContain('Total NFT Value (SUI): <strong>75 SUI</strong> (live');
    expect(treasuryNoscriptHtml({ ...snapshot, totalUsdValue: 37_524.2 })).toContain('<strong>$37,524.20</strong>');
    expect(treasuryNoscriptHtml({ ...snapshot, balance: { balanceInSui: 12_524.5182 } })).toContain('12,524.52 SUI');
  });

  test('shows both tables, ranked, and says that the average price is the floor', () => {
    expect(html).toContain('<caption>Token holdings</caption>');
    expect(html).toMatch(/scope="row">USDC<\/th><td class="numeric">#2<\/td><td class="numeric">1\.2346<\/td>/);
    expect(html).toContain('<td class="numeric">$0.9998</td>');
    expect(html).toContain('<td class="numeric">12.5</td>');
    expect(html).toContain(averagePriceMeaning);
  });

  test('shows no small price as zero', () => {
    const [token] = snapshot.tokenBreakdown;
    const cheap = { ...snapshot, tokenBreakdown: [{ ...token!, price: 0.00001234 }] };
    expect(treasuryNoscriptHtml(cheap)).toContain('<td class="numeric">$0.0000 ($0.00001234 unrounded)</td>');
  });

  test('hides balances of 0.001 or less, says so, and gives the number of uncounted holdings', () => {
    expect(html).not.toContain('HYPERLINK');
    expect(html).toContain(
      '1 small balance is counted but not listed (0.001 tokens or less), and rounding: <strong>$0</strong>',
    );
    expect(html).toContain('2 unpriced or unverified holdings are not counted.');
  });

  test('escapes every name and links only the wallet, the downloads and the payouts', () => {
    expect(html).toContain('&lt;img src=x&gt;');
    expect(html).not.toMatch(/<(img|script)\b/);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      snapshot.explorerUrl,
      '/api/treasury/export.csv',
      '/api/treasury/export.json',
      '/payouts',
    ]);
  });

  test('a figure that was never read has no time', () => {
    const silent = valueTreasury(
      readingOf([sui], { holdings: [held(rocks, 1)], market: null }),
      settings,
      now,
    ).snapshot;
    expect(treasuryNoscriptHtml(silent)).toContain(
      'Total NFT Value (USD): <strong>–</strong> (unavailable, never read, source: no floor price yet)',
    );
  });

  test('says so when nothing was ever read', () => {
    expect(treasuryNoscriptHtml(null)).toBe('<p>The treasury has not been read yet. Please reload in a minute.</p>');
  });
});
