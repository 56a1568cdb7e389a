import { afterAll, beforeAll, expect, test } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { verificationRefusals } from '../../src/discord/verify/rules/verification-texts.ts';
import { linkWallet } from '../../src/discord/roles/linking.ts';
import { gwen, startVerifying, type Verifying, walletOf } from '../support/verifying.ts';

let world: Verifying;
beforeAll(async () => {
  world = await startVerifying({ linkWallet: (link, trx) => linkWallet(trx, auditTrail, link) });
});
afterAll(() => world.end());

async function verify(number: number, member = gwen) {
  const [token, wallet] = [await world.linkFor(member), walletOf(number)];
  const message = String((await world.message(token, wallet.address)).data?.['message']);
  return { token, answer: await world.redeem(token, wallet.address, await wallet.sign(message)) };
}
const linkedNow = async (): Promise<readonly string[]> => {
  const linked = 'select wallet from discord_wallets where user_id = $1 order by linked_at';
  return (await world.database.pool.query<{ wallet: string }>(linked, [gwen.userId])).rows.map(({ wallet }) => wallet);
};

test('a member can link 20 wallets in a server; the 21st is refused with a sentence and the link ends', async () => {
  for (let number = 1; number <= 20; number += 1) expect((await verify(number)).answer.status).toBe(200);
  const { token, answer } = await verify(21);
  expect(answer).toMatchObject({ status: 409, code: 'too-many-wallets' });
  expect(verificationRefusals['too-many-wallets'].message).toMatch(/20 wallets.*unlink another with \/wallets/);
  expect(await world.read(token)).toMatchObject({ status: 410, code: 'link-used' });
  expect(await linkedNow()).toEqual(Array.from({ length: 20 }, (_none, index) => walletOf(index + 1).address));

  // Linked wallets and other members are not affected, and unlinking one makes room for another.
  expect((await verify(20)).answer.status).toBe(200);
  expect((await verify(21, { ...gwen, userId: '500600700801' })).answer.status).toBe(200);
  await world.database.pool.query('delete from discord_wallets where wallet = $1', [walletOf(1).address]);
  expect((await verify(22)).answer.status).toBe(200);
});

test('a link reveals nothing about the wallets of its member: its holder has not signed anything yet', async () => {
  const member = { ...gwen, userId: '500600700802' };
  expect((await verify(23, member)).answer.status).toBe(200);
  const { data } = await world.read(await world.linkFor(member));
  expect(Object.keys(data ?? {}).toSorted()).toEqual(['expiresAt', 'guildName', 'memberName', 'network', 'nftName']);
  expect(JSON.stringify(data)).not.toContain(walletOf(23).address);
});
