import { afterAll, beforeAll, expect, test } from 'vitest';

import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { bytesOf, newestOf, refusalOf, someHolders } from '../support/treasurer-calls.ts';

let scene: PayingScene;
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { treasury: 'multisig' } });
}, 120_000);
afterAll(() => scene.end());

test('a treasury of two people pays 555 holders with both signatures combined, and nothing with one', async () => {
  const holders = someHolders(555);
  const id = await scene.publish({ holders });
  const built = newestOf(await scene.build(id));
  const bytes = bytesOf(built.bytes);
  const { wallets } = scene.sandbox;
  const [fay, otto] = [
    await wallets.signTransaction('Flint Fay', bytes),
    await wallets.signTransaction('Ochre Otto', bytes),
  ];
  expect(await refusalOf(scene.send(id, built.digest, fay))).toMatchObject({
    code: 'wrong-signature',
    message: expect.stringContaining('combine its members’ signatures'),
  });
  expect(await refusalOf(scene.send(id, built.digest, wallets.combine([fay])))).toMatchObject({
    code: 'wrong-signature',
  });
  expect(newestOf(await scene.send(id, built.digest, wallets.combine([fay, otto]))).state).toBe('executed');
  expect(holders.filter((address) => scene.gotBy(address).join() !== '1000000')).toEqual([]);
  // Combined in another order it is another signature, but the same transaction.
  await scene.send(id, built.digest, wallets.combine([otto, fay]));
  expect(holders.filter((address) => scene.gotBy(address).join() !== '1000000')).toEqual([]);
}, 60_000);
