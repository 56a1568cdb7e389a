import { describe, expect, test } from 'vitest';

import { planOf } from '../../tests/support/checked-plans.ts';
import { askRoute } from '../../tests/support/route-request.ts';
import { reconcile } from './core/reconcile.ts';
import { summaryOf } from './core/payout-summary.ts';
import { allAnswer, payoutRoutes } from './payout-routes.ts';
import type { PayoutCache, PublishedPayout } from './payout-cache.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { payoutPage, payoutsNoscriptHtml } from './payout-pages.ts';

const readAt = '2026-11-20T20:33:00.000Z';

function published(): PublishedPayout {
  const plan = planOf({ owners: [1, 2, 2, null], amountRaw: 3_000_000n, mode: 'total', leavesOut: false });
  if (plan === null) throw new Error('There is no plan');
  const result = reconcile([{ ...plan, withdrawnAt: null, batches: [] }], []).get(1)!;
  const publishedAt = new Date('2026-11-02T00:00:00Z');
  const summary = summaryOf({ plan, result, publishedAt, withdrawn: null, sha256: 'a'.repeat(64) });
  return { json: '', plan, result, summary };
}

/** `isRead` false: the database was never read. `asOf` null: the chain was never read to its end. */
function pages({ isRead = true, asOf = readAt }: { readonly isRead?: boolean; readonly asOf?: string | null }) {
  const payout = published();
  const cache: PayoutCache = {
    load: async () => {},
    published: () => (isRead ? [payout] : []),
    find: (id) => (isRead && id === 1 ? payout : undefined),
    asOf: () => asOf,
    problems: () => (isRead ? [] : null),
    onChange: () => {},
  };
  const deps = {
    cache,
    rocks: { catalog: { nameOf: () => null } },
    settings: { explorerUrl: 'https://explorer.example' },
    productName: 'Sui Rocks',
  } as unknown as PayoutDeps;
  const routes = payoutRoutes(deps);
  return {
    list: payoutsNoscriptHtml(allAnswer(deps)),
    one: payoutPage(deps).fillingOf?.('1')?.blocks['snapshot:payout'] ?? '',
    ask: (path: string, id?: string) => {
      const route = routes.find((each) => each.path === path);
      if (route === undefined) throw new Error(`There is no ${path}`);
      return Promise.resolve().then(() => askRoute(route, { params: { id } }));
    },
  };
}

describe('pages of payouts without scripts', () => {
  test('name the time as of which they are true', () => {
    const { list, one } = pages({});
    for (const html of [list, one]) expect(html).toContain('<p>As of 2026-11-20 20:33 UTC.</p>');
    expect(list).toContain('Nothing has been paid yet');
  });

  test('list each rock that is left out by its number, with no known owner', () => {
    expect(pages({}).one).toContain('<th scope="row">frozen</th><td>4</td><td>No known owner</td>');
  });

  test('do not say that nothing is paid while the chain was never read to its end', () => {
    const { list, one } = pages({ asOf: null });
    for (const html of [list, one]) {
      expect(html).not.toMatch(/not paid yet|nothing has been paid|<td>0 SUI/i);
      expect(html).toContain('what is paid is not known.');
    }
    expect(list).toContain('<td>Not known yet</td>');
    expect(one).toContain('<dd>Not known yet</dd>');
  });

  test('do not say that there are no payouts while they were never read, and the calls answer 503', async () => {
    const { list, ask } = pages({ isRead: false });
    expect(list).toBe('<p>The payouts have not been read yet. Please reload in a minute.</p>');
    for (const path of [
      '/api/payouts',
      '/api/payouts/{id}',
      '/api/payouts/{id}/plan.json',
      '/api/payouts/{id}/lines.csv',
    ])
      await expect(ask(path, path.includes('id') ? '1' : undefined)).rejects.toMatchObject({
        name: 'Unavailable',
        reason: 'payouts-not-read',
      });
    await expect(pages({}).ask('/api/payouts/{id}', '2')).rejects.toMatchObject({ reason: 'not-found' });
  });
});

test('the file of lines has no state for a line while the chain was never read to its end', async () => {
  const statesIn = async (asOf: string | null) => {
    const answer = await pages({ asOf }).ask('/api/payouts/{id}/lines.csv', '1');
    let csv = '';
    if ('download' in answer) for await (const part of answer.download.parts) csv += part;
    return csv
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(',')[5]);
  };
  expect(await statesIn(readAt)).toEqual(['state', 'open', 'open']);
  expect(await statesIn(null)).toEqual(['state', '', '']);
});
