import { afterEach, beforeEach, expect, test } from 'vitest';

import { stakedSuiType } from '../../src/shared/sui-address.ts';
import { type DaysScene, startDaysScene } from '../support/days-scene.ts';

/** What leaves the treasury as an object takes value with it that no coin change shows. */

const dayMs = 86_400_000;

let scene: DaysScene;
/** Of a piece that came in; the tests change it into what they need. */
let digest: string;
beforeEach(async () => {
  scene = await startDaysScene();
  await scene.keepReading(new Date(Date.now() - dayMs), { total: 50_000_000_000n, token: 40_000_000_000n });
  scene.sandbox.world.mint({ address: scene.sandbox.facts.treasuryAddress, collection: 'cave-bats' });
  digest = scene.sandbox.world.state.transactions.at(-1)?.digest ?? '';
  await scene.read();
  await scene.price();
  await scene.keepReading(new Date(), { total: 49_000_000_000n, token: 40_000_000_000n });
  await change('ledger_entries', "kind = 'other'");
});
afterEach(() => scene.end());

const change = (table: string, set: string) =>
  scene.database.rows(`update ${table} set ${set} where digest = '${digest}'`);
/** The same ledger as seen by a copy that has just started. */
const seenAnew = () => startDaysScene({ on: scene });

test('a piece that a marketplace takes for sale is no longer counted, so the split is unknown', async () => {
  expect((await scene.trend()).changes[0]).toMatchObject({ usd: -1_000, movedUsd: expect.any(Number) as number });
  await change('ledger_nfts', "direction = 'into-escrow'");
  const copy = await seenAnew();
  expect((await copy.trend()).changes[0]).toMatchObject({ usd: -1_000, movedUsd: null, priceUsd: null });
  await copy.end();
});

test('after staked SUI was given away, the split is unknown, and so is every later day without a live reading', async () => {
  await scene.priceDays();
  const { points } = await scene.history('all');
  await change('ledger_nfts', `direction = 'out', collection_type = '${stakedSuiType}'`);
  const copy = await seenAnew();
  expect((await copy.trend()).changes[0]).toMatchObject({ usd: -1_000, movedUsd: null, priceUsd: null });
  await copy.end();
  const movedAt = new Date(Date.now() - 10 * dayMs).toISOString();
  await change('ledger_entries', `happened_at = '${movedAt}'`);
  const later = await seenAnew();
  const { points: known, incompleteDays } = await later.history('all');
  const isEarlier = ({ at }: { readonly at: string }) => at.slice(0, 10) < movedAt.slice(0, 10);
  expect(known).toEqual(points.filter((point) => isEarlier(point) || !point.estimated));
  expect(incompleteDays.length).toBe(points.length - known.length);
  await later.end();
});
