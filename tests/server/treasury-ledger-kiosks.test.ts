import { expect, test } from 'vitest';
import { type LedgerScene, startLedgerScene } from '../support/ledger-scene.ts';

/** Rulings R3 and R8: every transaction of the wallet and of its kiosks, however many kiosks it has. */

const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const stranger = `0x${'5'.repeat(64)}`;
const listCall = 'LedgerService/ListTransactions';

const treasuryOf = ({ sandbox }: LedgerScene): string => sandbox.facts.treasuryAddress;
const kioskCountOf = ({ sandbox }: LedgerScene): number =>
  [...sandbox.world.state.kiosks.values()].filter(({ holder }) => holder === sandbox.facts.treasuryAddress).length;

/** Anyone can create kiosks and send their caps to a wallet. */
function sendCaps(scene: LedgerScene, count: number): readonly string[] {
  const { world } = scene.sandbox;
  return Array.from({ length: count }, () => {
    const { id } = world.createKiosk({ holder: stranger });
    world.handOverKiosk({ kioskId: id, to: treasuryOf(scene) });
    return id;
  });
}

/** Puts a piece into a kiosk and lists it there, and someone buys it. */
function sellIn(scene: LedgerScene, kioskId: string): string {
  const { world } = scene.sandbox;
  const { id: nftId } = world.mint({ address: treasuryOf(scene), kioskId, collection: 'cave-bats' });
  world.list({ nftId, priceMist: 5_000n });
  world.buy({ nftId, buyer: '0x6' });
  return world.state.transactions.at(-1)?.digest ?? '';
}

const pay = (scene: LedgerScene): string => {
  scene.sandbox.world.receive({ coinType: suiType, amount: 7n, from: stranger });
  return scene.sandbox.world.state.transactions.at(-1)?.digest ?? '';
};

const listCallsOf = ({ sandbox }: LedgerScene): number => sandbox.requests.of('sui').byOperation[listCall] ?? 0;

test('a stranger who sends the caps of thirty kiosks does not stop the ledger: it reads everything in the wallet and every kiosk, in order', async () => {
  const scene = await startLedgerScene();
  await scene.read();
  const before = (await scene.entries()).length;
  const kiosks = sendCaps(scene, 30);
  const happened = [pay(scene), ...kiosks.map((kioskId) => sellIn(scene, kioskId)), pay(scene)];
  await scene.read();
  expect(await scene.page()).toMatchObject({ complete: true, state: 'live' });
  const entries = await scene.entries();
  const digests = entries.map(({ digest }) => digest).toReversed();
  expect(digests.filter((digest) => happened.includes(digest))).toEqual(happened);
  expect(new Set(digests).size).toBe(digests.length);
  expect(entries.length).toBeGreaterThanOrEqual(before + happened.length);
  await scene.end();
});

test('what touches the wallet and kiosks of several lists, in a checkpoint longer than a page, is in the ledger once', async () => {
  const scene = await startLedgerScene();
  const kiosks = sendCaps(scene, 12);
  await scene.read();
  const { transactions } = scene.sandbox.world.state;
  const before = transactions.length;
  const happened = Array.from({ length: 250 }, (_, at) =>
    at % 50 === 0 ? sellIn(scene, kiosks.at(-1) ?? '') : pay(scene),
  );
  const checkpoint = transactions.at(-1)?.checkpoint ?? 0;
  for (const transaction of transactions.slice(before)) transaction.checkpoint = checkpoint;
  await scene.read();
  const entries = await scene.entries();
  const digests = entries.map(({ digest }) => digest).toReversed();
  expect(digests.filter((digest) => happened.includes(digest))).toEqual(happened);
  for (const { unexplainedRaw } of (await scene.page()).coins) expect(unexplainedRaw).toBe('0');
  await scene.end();
});

test('new transactions take one call with nine kiosks, and two with ten', async () => {
  const scene = await startLedgerScene();
  sendCaps(scene, 9 - kioskCountOf(scene));
  await scene.read();
  scene.sandbox.requests.reset();
  await scene.readOnce();
  expect(listCallsOf(scene)).toBe(1);
  sendCaps(scene, 1);
  await scene.read();
  scene.sandbox.requests.reset();
  await scene.readOnce();
  expect(listCallsOf(scene)).toBe(2);
  await scene.end();
});
