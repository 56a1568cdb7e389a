import { expect, test } from 'vitest';
import { type LedgerScene, startLedgerScene } from '../support/ledger-scene.ts';

/** Rulings R3 and R8: the prices of movements at their time. */

const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;

async function pricesOfScene(confidence: number): Promise<{ scene: LedgerScene; asked: (readonly string[])[] }> {
  const asked: (readonly string[])[] = [];
  const scene = await startLedgerScene({
    pastPrices: ({ readPastPrices }) => ({
      readPastPrices: async (coinTypes, range, stop) => {
        asked.push(coinTypes);
        const found = await readPastPrices(coinTypes, range, stop);
        return new Map(
          [...found].map(([coinType, quotes]) => [coinType, quotes.map((quote) => ({ ...quote, confidence }))]),
        );
      },
    }),
  });
  await scene.read();
  return { scene, asked };
}

test('a price that its own source doubts is not the price of a movement', async () => {
  for (const [confidence, isPriced] of [
    [0.89, false],
    [0.9, true],
  ] as const) {
    const { scene } = await pricesOfScene(confidence);
    await scene.price();
    const payouts = await scene.entries({ kind: 'payout' });
    expect(payouts.length).toBeGreaterThan(0);
    for (const { usdAtTime } of payouts) expect(usdAtTime !== null, String(confidence)).toBe(isPriced);
    await scene.end();
  }
});

test('the price of SUI is requested every time: without it, a failed answer would look like coins without a price', async () => {
  const { scene, asked } = await pricesOfScene(1);
  await scene.database.rows('update ledger_changes set is_priced = true where coin_type = $1', [suiType]);
  await scene.price();
  expect(asked.length).toBeGreaterThan(0);
  for (const coinTypes of asked) expect(coinTypes).toContain(suiType);
  await scene.end();
});

test('movements newer than the clock of this machine wait for it: no price is requested, and the job does not run again at once', async () => {
  const { scene, asked } = await pricesOfScene(1);
  await scene.database.rows("update ledger_changes set happened_at = now() + interval '1 hour'");
  expect(await scene.priceOnce()).toBeNull();
  expect(asked).toEqual([]);
  await scene.end();
});

test('new movements are priced at once, not a minute later; a read that finds nothing new requests no price', async () => {
  const { scene } = await pricesOfScene(1);
  expect(scene.sent).toContain('treasury-ledger-prices');
  const { length } = scene.sent;
  await scene.readOnce();
  expect(scene.sent).toHaveLength(length);
  await scene.end();
});
