import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { adminOf } from '../../src/http/route.ts';
import type { AnnouncementsAnswer } from '../../src/payouts/payouts-contract.ts';
import { postCards } from '../../src/payouts/announcements-routes.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { refusalOf, someHolders } from '../support/treasurer-calls.ts';

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
    const { cards } = ((await scene.call('GET', path, { params })) as AnnouncementsAnswer).data;
    expect(cards.map(({ refusal }) => refusal)).toEqual(['This payout is withdrawn.', 'This payout is withdrawn.']);
    const body = { kind: 'published', places: ['telegram:-1'] };
    expect(await refusalOf(scene.call('POST', path, { params, body }))).toEqual({
      code: 'not-published',
      message: 'This payout is withdrawn.',
    });
  });

  test('is not announced as published by an admin who looked before it was withdrawn', async () => {
    const posting = { places: async () => [], post: async () => '1', states: async () => new Map() };
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
