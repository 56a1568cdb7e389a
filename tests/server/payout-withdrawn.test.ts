import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { adminOf } from '../../src/http/route.ts';
import type { AnnouncementsAnswer } from '../../src/payouts/payouts-contract.ts';
import { postCards } from '../../src/payouts/announcements-routes.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { startAnnouncing } from '../support/announcing.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { newestOf, refusalOf, someHolders } from '../support/treasurer-calls.ts';
import { until } from '../support/until.ts';

const path = '/api/admin/payouts/{id}/announcements';

let scene: PayingScene;
let id: number;
beforeAll(async () => {
  scene = await startPayingScene();
  const holders = someHolders(3);
  id = await scene.publish({ holders });
  await scene.withdraw(id);
  scene.sandbox.world.pay({ to: holders[0] ?? '', coinType: suiCoinType, amount: 1_000_000n });
  await scene.checkChain(id, null);
}, 120_000);
afterAll(() => scene.end());

describe('a withdrawn payout with a line that was paid anyway', () => {
  test('is announced neither as published nor as paid', async () => {
    expect(await scene.page(id)).toMatchObject({ state: 'paying', withdrawn: { reason: 'Wrong' } });
    const params = { id: String(id) };
    const { cards } = ((await scene.call('GET', path, { params })) as { data: AnnouncementsAnswer }).data;
    expect(cards.map(({ refusal }) => refusal)).toEqual(['This payout is withdrawn.', 'This payout is withdrawn.']);
    const body = { kind: 'published', places: ['telegram:-1'] };
    expect(await refusalOf(scene.call('POST', path, { params, body }))).toEqual({
      code: 'not-published',
      message: 'This payout is withdrawn.',
    });
  });

  test('is not announced as published by an admin who looked before it was withdrawn', async () => {
    const posting = {
      places: async () => [],
      post: async () => '1',
      drop: async () => {},
      states: async () => new Map(),
    };
    const database = typedKysely(scene.database.pool);
    const bot = { posting, notifyPaid: null };
    const deps = { database, audit: auditTrail, telegram: bot, discord: bot };
    const card = { sign: '📣', headline: 'x', lines: [], link: { label: 'x', url: 'https://rocks.example' } };
    const places = [{ place: 'telegram:-1', name: 'Cave' }];
    const wanted = { payout: { id, title: 'October' }, kind: 'published', card, places } as const;
    expect(await refusalOf(postCards(deps, wanted, adminOf({ id: '1', username: 'ogg' })))).toMatchObject({
      code: 'not-published',
    });
    expect(await database.selectFrom('payoutAnnouncements').selectAll().where('payout', '=', id).execute()).toEqual([]);
  });
});

test('a payout whose lines only got other amounts, as from a payment for another payout, can be withdrawn and planned anew', async () => {
  const holders = someHolders(3, 0x9_000);
  const stuck = await scene.publish({ holders });
  for (const to of holders) scene.sandbox.world.pay({ to, coinType: suiCoinType, amount: 20_000n });
  await scene.checkChain(stuck, null);
  const lines = { open: 0, paid: 0, paidOtherwise: 3 };
  expect(await scene.page(stuck)).toMatchObject({ state: 'paid', lines });
  await scene.withdraw(stuck);
  expect(await scene.page(stuck)).toMatchObject({ state: 'withdrawn', lines, withdrawn: { reason: 'Wrong' } });
  const anew = await scene.publish({ holders });
  expect(await scene.page(anew)).toMatchObject({ state: 'published', lines: { open: 3 } });
  await scene.pay(anew, newestOf(await scene.build(anew)));
  expect(await scene.page(anew)).toMatchObject({ state: 'paid', lines: { paid: 3 } });
  expect(await scene.page(stuck)).toMatchObject({ state: 'withdrawn' });
});

test('a place that is gone since the page was opened is not called by its number, nor is the bot said to have left it', async () => {
  const params = { id: String(await scene.publish({ holders: someHolders(2) })) };
  const body = { kind: 'published', places: ['discord:300000000000000001'] };
  expect(await refusalOf(scene.call('POST', path, { params, body }))).toEqual({
    code: 'unknown-place',
    message:
      'One of these places is not there any more: the bot has left it, it was deleted, or it has a new id. Nothing was posted.',
  });
});

test('a card that still waits to say published is dropped when the payout is announced as paid', async () => {
  const dropped: unknown[] = [];
  const posting = {
    places: async () => [],
    post: async () => '7',
    drop: async (ids: readonly string[], reason: string) => void dropped.push(ids, reason),
    states: async () => new Map(),
  };
  const bot = { posting, notifyPaid: null };
  const deps = { database: typedKysely(scene.database.pool), audit: auditTrail, telegram: bot, discord: bot };
  const card = { sign: '📣', headline: 'x', lines: [], link: { label: 'x', url: 'https://rocks.example' } };
  const payout = { id: await scene.publish({ holders: someHolders(1) }), title: 'December' };
  const places = [{ place: 'discord:300000000000000001', name: '#news' }];
  for (const kind of ['published', 'paid'] as const)
    await postCards(deps, { payout, kind, card, places }, adminOf({ id: '1', username: 'ogg' }));
  expect(dropped).toEqual([['7'], 'The payout was announced as paid.']);
});

test('a card that still waits when its payout is withdrawn is never posted, and the tab says why', async () => {
  const { product, ...announcing } = await startAnnouncing();
  onTestFinished(() => product.stop());
  const places = [await announcing.group('Cave'), announcing.verifyChannel];
  const statesOf = async (payout: number) => (await announcing.announcements(payout)).posted.map(({ state }) => state);
  const withdrawn = await announcing.published('1000', 'October');
  await product.control('/control/faults', { service: 'telegram', kind: '500', operation: 'sendMessage' });
  await product.control('/control/faults', { service: 'discord', kind: '500' });
  await announcing.announce(withdrawn.id, 'published', places);
  await announcing.send('POST', `/api/admin/payouts/${withdrawn.id}/withdraw`, { reason: 'Wrong month' });
  const { posted } = await announcing.announcements(withdrawn.id);
  expect(posted.map(({ state, reason }) => [state, reason])).toEqual([
    ['failed', 'The payout was withdrawn.'],
    ['failed', 'The payout was withdrawn.'],
  ]);
  await product.control('/control/faults/clear');
  const next = await announcing.published('2000', 'November');
  await announcing.announce(next.id, 'published', places);
  await until('the next payout is announced', async () => (await statesOf(next.id)).join() === 'posted,posted', 60_000);
  for (const place of places) expect(await announcing.standing(place, 'Payout published: October')).toEqual([]);
}, 180_000);
