import { afterEach, beforeEach, expect, test } from 'vitest';

import { systemClock } from '../../src/process/in-time.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { createSuiPrice } from '../../src/telegram/sui-price.ts';
import { type ActivityWorld, startActivityWorld } from '../support/activity-world.ts';
import { type Delivering, startDelivering } from '../support/delivering.ts';

let delivering: Delivering;
let world: ActivityWorld | null = null;
beforeEach(async () => void (delivering = await startDelivering()));
afterEach(async () => {
  await Promise.all([delivering.end(), world?.end()]);
  world = null;
});

test('the first cards after a start show the price in USD, which the poll reads before its transaction', async () => {
  const [chatId = ''] = await delivering.groups(1);
  const reading = Promise.withResolvers<ReadonlyMap<string, { readonly pricePicoUsd: bigint; readonly asOf: Date }>>();
  const deliveries = delivering.copy({ prices: createSuiPrice({ readPrices: () => reading.promise }, systemClock) });
  const prepared = deliveries.listener.prepare?.();
  reading.resolve(new Map([[suiCoinType, { pricePicoUsd: 3_500_000_000_000n, asOf: new Date() }]]));
  await prepared;
  await delivering.happen(deliveries, [{ kind: 'sale', priceMist: 2_000_000_000n }]);
  const [card] = await delivering.rows(chatId);
  expect(card?.html).toContain('($7.00)');
});

test('a listener is prepared before every batch that it gets', async () => {
  const steps: string[] = [];
  world = await startActivityWorld();
  const heard = world.recorder('groups', () => steps.push('batch'));
  const product = world.copy({ listeners: [{ ...heard, prepare: async () => void steps.push('ready') }] });
  await world.follow(product.activity);
  await product.start();
  world.sandbox.world.burst({ collection: 'rocks', kind: 'buy', count: 1 });
  await world.waitUntilTold(1);
  expect(steps[steps.indexOf('batch') - 1]).toBe('ready');
});
