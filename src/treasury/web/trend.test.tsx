import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Router } from 'wouter';
import { createQueryClient } from '../../ui/api/use-public-answer.ts';
import { BeyondTheBalance } from './beyond-the-balance.tsx';
import { ValueOverTime } from './history/value-over-time.tsx';
import { Trend } from './rockfolio-page.tsx';

const asOf = '2026-11-25T00:00:00.000Z';
const coin = { type: '0x2::sui::SUI', symbol: 'SUI', decimals: 9 };

function shown(answers: Readonly<Record<string, object>>): string {
  const client = createQueryClient();
  for (const [path, data] of Object.entries(answers)) client.setQueryData([path, 'whole'], { data });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/rockfolio">
        <Trend />
        <BeyondTheBalance snapshot={null} />
      </Router>
    </QueryClientProvider>,
  );
}

describe('rulings R3: every figure carries its age and its state', () => {
  const change = { hours: 24, from: asOf, usd: 598, percent: 1.2, movedUsd: 0, priceUsd: 598, coinsOnly: false };
  const trendWith = (state: string) =>
    shown({ '/api/treasury/trend': { asOf, state, changes: [change], days: [] } }).split('Beyond the balance')[0];

  test("a trend is marked unless it is live: 'Figures without a mark are live'", () => {
    expect(trendWith('live')).toContain('+$598');
    expect(trendWith('live')).not.toContain('badge');
    expect(trendWith('stale')).toMatch(new RegExp(`badge-stale.*Stale.*dateTime="${asOf}"`));
  });

  test('a trend that is still loading is not shown as unknown', () => {
    expect(shown({})).not.toContain('Not known yet');
    expect(trendWith('live')).toContain('Not known yet');
  });

  test('what was distributed has a time, and is unknown if the chain was not fully read', () => {
    const distributed = (given: object) =>
      shown({ '/api/payouts': { payouts: [{}], distributed: [], asOf, ...given } });
    expect(distributed({ distributed: [{ coin, raw: '1000000000' }] })).toContain(`as of <time dateTime="${asOf}"`);
    expect(distributed({})).toContain('Nothing yet');
    expect(distributed({ asOf: null })).not.toContain('Nothing yet');
    expect(distributed({ asOf: null, payouts: [] })).toContain('Nothing yet');
  });
});

const drawn = (points: readonly object[]): string => {
  const client = createQueryClient();
  client.setQueryData(['/api/treasury/history?days=30'], { points, incompleteDays: [], notes: [] });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/rockfolio">
        <ValueOverTime />
      </Router>
    </QueryClientProvider>,
  );
};

test('a range without two readings, as after an outage of a day, does not say that the line is still to begin', () => {
  expect(drawn([])).toContain('Fewer than two readings in this range: there is no line to draw.');
});

test('the days of an outage between readings are said to be of coins only', () => {
  const point = { totalUsdValue: 900, nftTotalValueUsd: null, tokenTotalUsd: null, heldInSui: null };
  const at = (day: number, estimated: boolean) => ({ ...point, at: `2026-11-2${day}T12:00:00.000Z`, estimated });
  const words = 'Estimated values are of coins only, from the chain at prices of the time.';
  expect(drawn([at(1, false), at(2, true), at(3, false)])).toContain(words);
  expect(drawn([at(1, false), at(2, false)])).not.toContain(words);
});
