import { expect, test } from 'vitest';

import { Unavailable } from '../../src/shared/failure.ts';
import { gwen, startVerifying, type Verifying, walletOf } from '../support/verifying.ts';

const wallet = walletOf(1);

test.each([
  ['wrong', { kind: 'invalid', problem: 'not-this-wallet-or-message' }, 'bad-signature'],
  ['good', { kind: 'valid', scheme: 'ed25519' }, 'link-used'],
] as const)(
  'a link stays closed once a newer one of the same member was made while its %s signature was checked',
  async (_word, checked, code) => {
    let newer = '';
    const world: Verifying = await startVerifying({
      verify: async () => {
        newer = await world.linkFor(gwen);
        return checked;
      },
    });
    try {
      const older = await world.linkFor(gwen);
      await world.message(older, wallet.address);
      expect(await world.redeem(older, wallet.address, 'AA==')).toMatchObject({ code });
      expect(await world.read(older)).toMatchObject({ status: 410, code: 'link-used' });
      expect(await world.message(older, wallet.address)).toMatchObject({ status: 410, code: 'link-used' });
      expect(world.owners.size).toBe(0);
      expect(await world.read(newer)).toMatchObject({ status: 200 });
    } finally {
      await world.end();
    }
  },
);

test('of several links that a member requests at the same moment only one stays open', async () => {
  const world = await startVerifying();
  try {
    const links = await Promise.all(Array.from({ length: 8 }, () => world.linkFor(gwen)));
    const answers = await Promise.all(links.map((link) => world.read(link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  } finally {
    await world.end();
  }
});

test('when the chain is needed and does not answer, nothing is linked, the answer says to try later, and the same link then works with another message', async () => {
  let isDown = true;
  const down = await startVerifying({
    verify: async () => {
      if (isDown) throw new Unavailable('node-unavailable', 'The node does not answer');
      return { kind: 'valid', scheme: 'zklogin' };
    },
  });
  const token = await down.linkFor();
  const unavailable = { status: 503, code: 'chain-unavailable' };
  // More often than wrong signatures may be tried.
  for (let tries = 0; tries < 6; tries += 1) {
    await down.message(token, wallet.address);
    expect(await down.redeem(token, wallet.address, 'AA==')).toMatchObject(unavailable);
  }
  expect(down.owners.size).toBe(0);
  isDown = false;
  expect(await down.redeem(token, wallet.address, 'AA==')).toMatchObject({ code: 'no-message' });
  await down.message(token, wallet.address);
  expect(await down.redeem(token, wallet.address, 'AA==')).toMatchObject({ status: 200 });
  expect(down.owners.get(wallet.address)).toBe(gwen.userId);
  await down.end();
});
