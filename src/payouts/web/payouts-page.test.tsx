import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { paidInWords, sharedInWords } from './check-it.tsx';
import { allLines } from './payout-addresses.ts';
import { PayoutLines } from './payout-lines.tsx';
import { payoutPageAnswer } from './payouts-answer.ts';
import { PayoutsPage } from './payouts-page.tsx';

const asOf = '2026-11-20T20:33:00.000Z';
const summary = {
  id: 1,
  title: 'October',
  coin: { type: '0x2::sui::SUI', symbol: 'SUI', decimals: 9 },
  shareRaw: '1',
  totalRaw: '2',
  state: 'paying',
};
const withdrawn = { at: asOf, reason: 'Wrong month' };

function listed(answer: object): string {
  const client = new QueryClient();
  client.setQueryData(['/api/payouts', 'whole'], { data: { perRock: [], ...answer } });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/payouts">
        <PayoutsPage />
      </Router>
    </QueryClientProvider>,
  );
}

test('until the scripts have loaded, the page says that it is loading', () => {
  expect(
    renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <Router ssrPath="/payouts">
          <PayoutsPage />
        </Router>
      </QueryClientProvider>,
    ),
  ).toContain('Loading...');
});

test('a payout that is being paid is the next one, unless it is withdrawn', () => {
  expect(listed({ asOf, payouts: [summary] })).toContain('id="next-1"');
  expect(listed({ asOf, payouts: [{ ...summary, withdrawn }] })).not.toContain('id="next-1"');
});

test('a withdrawn payout of which some lines are paid is withdrawn, and its open lines are not to be paid', () => {
  const html = listed({ asOf, payouts: [{ ...summary, withdrawn }] });
  expect(html).toContain('Withdrawn');
  expect(html).not.toContain('Being paid');
  const found = { asOf, transactions: 1, isWithdrawn: true };
  expect(paidInWords({ ...found, paid: 1, open: 2 })).toMatch(/; 2 lines not paid\.$/);
  expect(paidInWords({ ...found, paid: 0, open: 2 })).toBe('None of it has been paid.');
});

test('the list of payouts says as of when it is true, or that what is paid is not known', () => {
  expect(listed({ asOf, payouts: [summary] })).toContain(`As of <time dateTime="${asOf}"`);
  const unread = listed({ asOf: null, payouts: [summary] });
  expect(unread).toContain('what is paid is not known');
  expect(unread).not.toContain('Nothing yet');
});

test('a line is not said to be unpaid before the chain was read to its end', () => {
  const line = { address: `0x${'1'.repeat(64)}`, raw: '1', rocks: [1], payments: [], state: 'open' };
  const lines = (at: string | null, more: object = {}) =>
    renderToStaticMarkup(
      <Router ssrPath="/payouts/1">
        <PayoutLines
          payout={payoutPageAnswer.parse({ ...summary, ...more, asOf: at, found: [line], strays: [] })}
          choice={allLines}
          isLate={false}
        />
      </Router>,
    );
  expect(lines(asOf)).toContain('Not paid yet');
  expect(lines(null)).toContain('Not known yet');
  expect(lines(null)).not.toContain('Not paid yet');
  // Nobody will pay it.
  expect(lines(asOf, { withdrawn })).toMatch(/Not paid(?! yet)/);
});

test('the check does not say that nothing is paid before the chain was read to its end', () => {
  const found = { paid: 0, open: 2, transactions: 0, isWithdrawn: false };
  expect(paidInWords({ ...found, asOf })).toMatch(/^None of it/);
  expect(paidInWords({ ...found, asOf: null })).toBe('The chain is not fully read yet, so what is paid is not known.');
  expect(paidInWords({ ...found, asOf: null, paid: 2, open: 0 })).toMatch(/^Every line/);
});

test('a payout names another one of the same coin and share that may take the same payments', () => {
  const of = (id: number, open: number, more: object = {}) =>
    payoutPageAnswer.parse({
      ...summary,
      id,
      lines: { open, paid: 2 - open, paidOtherwise: 0, paidTwice: 0 },
      found: [],
      strays: [],
      ...more,
    });
  const [older, newer] = [of(1, 2), of(2, 0)];
  for (const each of [older, newer]) {
    expect(sharedInWords(each, [newer, older])).toEqual([
      expect.stringMatching(/^Payments that fit both payout \d and payout \d are counted for payout 1, the older one;/),
    ]);
  }
  const unlike = [of(1, 0), of(1, 2, { shareRaw: '7' }), of(1, 2, { withdrawn }), of(2, 2)];
  for (const other of unlike) expect(sharedInWords(newer, [other])).toEqual([]);
});
