import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { createFigureReader } from '../../src/db/figures.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { treasuryFigures } from '../../src/treasury/treasury-store.ts';
import { type LedgerScene, startLedgerScene } from '../support/ledger-scene.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startOwnerWatch } from '../support/owner-watch.ts';

/** The owner is alerted to a treasury that does not add up: all the way from the ledger to the message. */
const clock = createManualClock(new Date());
const copies: ReturnType<typeof startOwnerWatch>[] = [];
let scene: LedgerScene;
let chatId: number;
beforeAll(async () => {
  scene = await startLedgerScene({ sandbox: { telegramLimits: false } });
  [chatId = 0] = scene.sandbox.telegram.createGroups({ count: 1 });
});
afterAll(async () => {
  await Promise.all(copies.map(({ end }) => end()));
  await scene.end();
});
beforeEach(() => scene.read());

const startCopy = (): void => {
  const { facts, urls } = scene.sandbox;
  const platform = { platform: 'telegram', token: facts.telegramBotToken, apiUrl: urls.telegram } as const;
  const settings = { ...platform, databaseUrl: scene.database.url, chatId: String(chatId) };
  copies.push(startOwnerWatch(settings, { clock, unexplained: () => scene.ledger.unexplained() }));
};
const minutes = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count * 2; passed += 1) {
    clock.advance(30_000);
    for (const { check } of copies) await check();
  }
};
const said = (): readonly string[] =>
  scene.sandbox.telegram.history(chatId).flatMap(({ from, text }) => (from.is_bot && text !== null ? [text] : []));
/** Takes this amount out of what came in; negative: adds an amount that never came in. */
const missing = async (raw: string): Promise<void> => {
  const sui = `0x${'2'.padStart(64, '0')}::sui::SUI`;
  await scene.database.rows('update ledger_coins set in_raw = in_raw - $1 where coin_type = $2', [raw, sui]);
  await scene.read();
};

test('a coin that does not add up is reported once with its amount, across copies and restarts, and once more when it adds up again', async () => {
  startCopy();
  startCopy();
  await minutes(10);
  expect(said()).toEqual([]);
  await missing('12500000000');
  await minutes(4);
  expect(said()).toEqual([]);
  await minutes(2);
  startCopy();
  await minutes(10);
  expect(said()).toEqual([
    expect.stringMatching(
      /^Sui Rocks: The treasury does not add up: the chain differs from its movements by \+12\.5 SUI\.\nSince .* UTC \(\d min\)\.\n/,
    ),
  ]);
  await missing('-12500000000');
  await minutes(6);
  expect(said().slice(1)).toEqual([
    expect.stringMatching(/^Sui Rocks: The treasury adds up again, to the last unit\. The alarm lasted from/),
  ]);
});

test('/metrics counts the coins that do not add up, the same in every copy', async () => {
  const figure = async () =>
    (await scene.database.rows<{ unexplained_coins: number }>('select unexplained_coins from ledger_readings'))[0];
  expect(await figure()).toEqual({ unexplained_coins: 0 });
  await missing('1');
  expect(await figure()).toEqual({ unexplained_coins: 1 });
  await missing('-1');
  expect(await figure()).toEqual({ unexplained_coins: 0 });
});

const ledgerAgeIn = async ({ database }: LedgerScene) =>
  (await createFigureReader(database.pool, treasuryFigures)())['treasury_ledger_age_seconds'];

test('/metrics shows how far behind the ledger is, once it has been read to the end', async () => {
  const figure = () => ledgerAgeIn(scene);
  expect(await figure()).toBeLessThan(60);
  await scene.database.rows("update ledger_readings set covered_at = covered_at - interval '2 hours'");
  expect(await figure()).toBeCloseTo(7_200, -2);
});

test('/metrics shows how long the first read of the ledger has made no progress, from its first attempt on', async () => {
  let isDown = true;
  const first = await startLedgerScene({
    node: (node) => ({
      ...node,
      listTransactions: (query, stop) =>
        isDown
          ? Promise.reject(new Unavailable('malformed-answer', 'A page that cannot be read'))
          : node.listTransactions(query, stop),
    }),
  });
  const fail = () => expect(first.readOnce()).rejects.toThrow(Unavailable);
  const later = () => first.database.rows("update ledger_readings set read_at = read_at - interval '1 hour'");
  expect(await ledgerAgeIn(first)).toBeNull();
  await fail();
  await later();
  await fail();
  await later();
  expect(await ledgerAgeIn(first)).toBeCloseTo(7_200, -2);
  isDown = false;
  await first.readOnce();
  expect(await ledgerAgeIn(first)).toBeLessThan(60);
  await first.end();
});
