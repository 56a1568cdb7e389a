import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Router } from 'wouter';
import { type Json, variantsOf } from '../../../tests/support/answer-variants.ts';
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
} from '../../../tests/support/treasury-reading.ts';
import { SiteConfigProvider } from '../../ui/server-written.tsx';
import { ToastProvider } from '../../ui/toast/toast-provider.tsx';
import { withDeclared } from '../core/allocation.ts';
import { valueTreasury } from '../core/valuation.ts';
import { BeyondTheBalance } from './beyond-the-balance.tsx';
import { FullTransparency } from './full-transparency.tsx';
import { SnapshotLine, SummaryCard, summaryCards } from './summary-cards.tsx';
import { treasuryAnswer } from './treasury-answer.ts';

const { snapshot } = valueTreasury(
  readingOf(
    [
      sui,
      [usdc, 1_234_567n, coin(usdc, 'USDC', 6), quote('0.9998')],
      [meme, 3n, coin(meme, 'MEME', 9), quote('0.000000001')],
      [`${meme}2`, 5n, coin(`${meme}2`, 'SPAM', 0), undefined],
    ],
    {
      holdings: [held(rocks, 6), held(bats, 2)],
      market: market(fact(rocks)),
      jump: { previousMicroUsd: 1_000_000n, nextMicroUsd: 351_234_320n, confirmedAt: now },
    },
  ),
  settings,
  now,
);

const allocation = withDeclared(snapshot.allocation, [
  { slice: 'operations', declared: { usd: '12000', at: '2026-11-01T23:59:00.000Z', by: 'Flint' } },
]).toSorted((one, other) => Number(other.declared !== null) - Number(one.declared !== null));

const full = structuredClone({ ...snapshot, allocation }) as unknown as Readonly<Record<string, Json>>;
const pick = (from: Json | undefined, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, (from as Readonly<Record<string, Json>>)[name] ?? null]));

/** Specification 3: these fields and no other. */
const bare: Json = {
  ...(pick(full, ['totalUsdValue', 'balance', 'nftTotalValueSui', 'nftTotalValueUsd']) as object),
  tokenBreakdown: snapshot.tokenBreakdown.map((_row, index) =>
    pick((full['tokenBreakdown'] as readonly Json[])[index], [
      'symbol',
      'coinType',
      'humanBalance',
      'usdValue',
      'price',
    ]),
  ),
  nftBreakdown: snapshot.nftBreakdown.map((_row, index) =>
    pick((full['nftBreakdown'] as readonly Json[])[index], [
      'collectionId',
      'collectionName',
      'count',
      'averagePriceSui',
      'totalValueUsd',
    ]),
  ),
};

const siteConfig = {
  publicUrl: 'https://sui.rocks',
  network: 'mainnet',
  explorerUrl: 'https://suiscan.xyz/mainnet',
  treasuryAddress: settings.treasuryAddress,
  collectionType: rocks,
  linkTelegram: 'https://t.me/suirocks',
  linkX: 'https://x.com/suirocks',
  linkMarketplace: 'https://market.example',
  linkMint: 'https://market.example/mint',
  linkBot: 'https://t.me/bot',
  currentYear: '2026',
};

/** Every part of the page that shows something of the answer. */
function shown(answer: Json): string {
  const treasury = treasuryAnswer.parse(answer);
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <SiteConfigProvider value={siteConfig}>
        <ToastProvider>
          <Router ssrPath="/rockfolio">
            {summaryCards({ failed: false, snapshot: treasury }).map((card) => (
              <SummaryCard key={card.title} card={card} />
            ))}
            <SnapshotLine snapshot={treasury} failure={null} />
            <FullTransparency snapshot={treasury} />
            <BeyondTheBalance snapshot={treasury} />
          </Router>
        </ToastProvider>
      </SiteConfigProvider>
    </QueryClientProvider>,
  );
}

/** Every sum of money on the page. */
const moneyIn = (markup: string): string[] => markup.match(/[−-]?\$[\d,.]+|[\d,.]+ SUI\b/g) ?? [];

it('rulings R3: an amount declared by the team is shown with what is not visible on chain, with its date and author', () => {
  const page = shown(full).replaceAll(/<[^>]*>/g, '');
  expect(page).toContain('Not visible on chain.Declared by the team: $12,000 on 1 November 2026, by Flint');
  expect(page.match(/Declared by the team/g)).toHaveLength(1);
});

describe('rulings R2: the treasury page copes with any answer', () => {
  const known = new Set(moneyIn(shown(full)));

  it('shows an answer that has only the fields of specification 3', () => {
    const page = shown(bare);
    for (const text of ['$351.23', '100 SUI', '6 NFTs', 'USDC', '75 SUI']) expect(page).toContain(text);
    expect(page).not.toContain('Sample figure');
    expect(moneyIn(page).filter((money) => !known.has(money))).toEqual([]);
  });

  it.each(variantsOf(full, bare))('$title', ({ answer }) => {
    const page = shown(answer);
    expect(page).toContain('$351.23');
    expect(page).toContain('100 SUI');
    expect(page).not.toContain('Sample figure');
    const invented = moneyIn(page).filter((money) => !known.has(money) && !['$7', '$7.', '7 SUI'].includes(money));
    expect(invented).toEqual([]);
  });
});
