import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { gwen, startVerifying, type Verifying, walletOf } from '../support/verifying.ts';

let world: Verifying;
const wallet = walletOf(1);
const mallory = { ...gwen, userId: '900800700600', displayName: 'Mallory' };

beforeAll(async () => {
  world = await startVerifying();
});
afterEach(() => {
  world.owners.clear();
  world.says.answer = 'holds';
  world.says.hasRole = false;
  world.guild.current = { name: 'Rock Mountain', isPresent: true, nftName: 'Sui Rocks', isSetUp: true };
});
afterAll(() => world.end());

const messageFor = async (token: string, address = wallet.address): Promise<string> =>
  String((await world.message(token, address)).data?.['message']);
const verify = async (token: string, by = wallet) =>
  world.redeem(token, by.address, await by.sign(await messageFor(token, by.address)));

describe('a verification link (rulings R5)', () => {
  test('says for which server and which member it is, and is valid for 15 minutes', async () => {
    const { url, expiresAt } = await world.makeLink(gwen);
    expect(url).toMatch(/^https:\/\/rocks\.example\/verify\/[\w-]{43}$/);
    // It was made just now; the tolerance is for a busy machine.
    expect(Math.abs(expiresAt.getTime() - Date.now() - 15 * 60_000)).toBeLessThan(20_000);
    const { status, data } = await world.read(url.split('/').at(-1) ?? '');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      guildName: 'Rock Mountain',
      memberName: '@gwen.rocks (Gwen)',
      network: 'mainnet',
    });
  });

  test('is answered with 503 within seconds while the database does not answer, and works again afterwards', async () => {
    const token = await world.linkFor();
    const holder = await world.database.pool.connect();
    await holder.query('begin; lock table discord_verifications in access exclusive mode');
    const startedAtMs = performance.now();
    const asked = [
      world.read(token),
      world.message(token, wallet.address),
      world.redeem(token, wallet.address, 'AA=='),
    ];
    for (const { status, code } of await Promise.all(asked))
      expect([status, code]).toEqual([503, 'database-unavailable']);
    expect(performance.now() - startedAtMs).toBeLessThan(4_500);
    await holder.query('rollback');
    holder.release();
    expect(await world.read(token)).toMatchObject({ status: 200 });
  });

  test('is 256 bits long, and kept as a keyed hash only', async () => {
    const token = await world.linkFor();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const { rows } = await world.database.pool.query<{ row: string }>(
      'select l::text as row from discord_verifications l',
    );
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(token);
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  test('links the wallet that signed its message, once', async () => {
    const token = await world.linkFor();
    const done = await verify(token);
    expect(done).toMatchObject({ status: 200, data: { outcome: 'role-coming', wallet: wallet.address } });
    expect(world.owners.get(wallet.address)).toBe(gwen.userId);
    expect(await world.read(token)).toMatchObject({ status: 410, code: 'link-used' });
    expect(await world.message(token, wallet.address)).toMatchObject({ status: 410, code: 'link-used' });
  });

  test('shows the outcome to the signer until it would have expired, and not to anyone who has only the link', async () => {
    const [token, another] = [await world.linkFor(), await world.linkFor({ ...gwen, userId: '500600700801' })];
    const receipt = (await verify(token)).data?.['receipt'];
    const receiptOfAnother = (await verify(another, walletOf(2))).data?.['receipt'];
    expect(await world.outcome(token, receipt)).toMatchObject({ data: { isGiven: false, outcome: 'role-coming' } });
    world.says.hasRole = true;
    expect(await world.outcome(token, receipt)).toMatchObject({ status: 200, data: { isGiven: true } });
    for (const wrong of ['', token, 'A'.repeat(43), receiptOfAnother]) {
      expect(await world.outcome(token, wrong)).toMatchObject({ status: 404, code: 'no-such-link', data: undefined });
    }
    await world.database.pool.query("update discord_verifications set expires_at = clock_timestamp() - interval '1 s'");
    expect(await world.outcome(token, receipt)).toMatchObject({ status: 410, code: 'link-expired' });
  });

  test('that the member deleted while their signature was checked links nothing', async () => {
    const deleting: Verifying = await startVerifying({
      verify: async () => {
        await deleting.database.pool.query('delete from discord_verifications');
        return { kind: 'valid', scheme: 'ed25519' };
      },
    });
    try {
      const token = await deleting.linkFor();
      const message = String((await deleting.message(token, wallet.address)).data?.['message']);
      const redeemed = await deleting.redeem(token, wallet.address, await wallet.sign(message));
      expect(redeemed).toMatchObject({ status: 410, code: 'link-used' });
      expect(deleting.owners.size).toBe(0);
    } finally {
      await deleting.end();
    }
  });

  test('no longer works once a newer one was made for the same member', async () => {
    const older = await world.linkFor();
    const newer = await world.linkFor();
    expect(await world.read(older)).toMatchObject({ status: 410, code: 'link-used' });
    expect((await world.read(newer)).status).toBe(200);
  });

  test('that does not exist, or that has expired, says so', async () => {
    expect(await world.read('x'.repeat(43))).toMatchObject({ status: 404, code: 'no-such-link' });
    const token = await world.linkFor();
    const signature = await wallet.sign(await messageFor(token));
    await world.database.pool.query("update discord_verifications set expires_at = now() - interval '1 second'");
    expect(await world.read(token)).toMatchObject({ status: 410, code: 'link-expired' });
    expect(await world.redeem(token, wallet.address, signature)).toMatchObject({ status: 410, code: 'link-expired' });
    expect(world.owners.size).toBe(0);
  });

  test('of a server that removed the bot no longer works, and says so', async () => {
    const token = await world.linkFor();
    world.guild.current = { name: 'Rock Mountain', isPresent: false, nftName: 'Sui Rocks', isSetUp: true };
    expect(await world.read(token)).toMatchObject({ status: 410, code: 'server-gone' });
  });
});

describe('a signature', () => {
  test('of another wallet, or of another message, links nothing; another message may be asked for', async () => {
    const token = await world.linkFor();
    const message = await messageFor(token);
    expect(await world.redeem(token, wallet.address, await walletOf(2).sign(message))).toMatchObject({
      status: 400,
      code: 'bad-signature',
    });
    expect(await world.redeem(token, wallet.address, await wallet.sign(message))).toMatchObject({ code: 'no-message' });
    await messageFor(token);
    expect(await world.redeem(token, wallet.address, await wallet.sign(message))).toMatchObject({
      code: 'bad-signature',
    });
    expect(world.owners.size).toBe(0);
    expect((await verify(token)).status).toBe(200);
  });

  test('for the message of another server or member is not accepted', async () => {
    const theirs = await world.linkFor(mallory);
    const signature = await wallet.sign(await messageFor(theirs));
    const token = await world.linkFor();
    await messageFor(token);
    expect(await world.redeem(token, wallet.address, signature)).toMatchObject({ code: 'bad-signature' });
  });

  test('is accepted once when it is sent many times at once', async () => {
    const token = await world.linkFor();
    const signature = await wallet.sign(await messageFor(token));
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.redeem(token, wallet.address, signature)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toHaveLength(0);
  });

  test('that is wrong five times closes the link', async () => {
    const token = await world.linkFor();
    const codes: unknown[] = [];
    for (let round = 0; round < 5; round += 1) {
      codes.push((await world.redeem(token, wallet.address, await walletOf(2).sign(await messageFor(token)))).code);
    }
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'bad-signature'));
    expect(await world.message(token, wallet.address)).toMatchObject({ status: 410, code: 'too-many-attempts' });
    expect(await world.redeem(token, wallet.address, 'AA==')).toMatchObject({ code: 'too-many-attempts' });
  });

  test.each(['', 'rock', 'AA==', Buffer.alloc(97, 255).toString('base64'), 'A'.repeat(24_000)])(
    'that is not a signature at all is refused: %.12s',
    async (nonsense) => {
      const token = await world.linkFor();
      await messageFor(token);
      expect(await world.redeem(token, wallet.address, nonsense)).toMatchObject({ status: 400, code: 'bad-signature' });
    },
  );

  test('cannot be requested for text that is not a wallet', async () => {
    const token = await world.linkFor();
    for (const text of ['', '0x1', 'gwen.sui', `0x${'z'.repeat(64)}`]) {
      expect(await world.message(token, text)).toMatchObject({ status: 400, code: 'malformed-wallet' });
    }
  });

  test('of a wallet that another member has linked does not reveal whose it is', async () => {
    world.owners.set(wallet.address, mallory.userId);
    const answer = await verify(await world.linkFor());
    expect(answer).toMatchObject({ status: 409, code: 'wallet-taken' });
    expect(JSON.stringify(answer)).not.toContain(mallory.userId);
    expect(world.owners.get(wallet.address)).toBe(mallory.userId);
  });

  test('is recorded in the log of changes, with the wallet, in the same transaction', async () => {
    await verify(await world.linkFor());
    const { rows } = await world.database.pool.query('select * from audit_entries order by id desc limit 1');
    expect(rows[0]).toMatchObject({
      action: 'discord-wallet-linked',
      actor_kind: 'discord',
      actor_name: 'Gwen',
      subject_label: 'Gwen in Rock Mountain',
      after: { wallet: wallet.address },
    });
  });
});

describe('the answer after the signature', () => {
  test.each([
    ['does-not-hold', 'not-holding'],
    ['unknown', 'unknown'],
    ['holds', 'role-coming'],
  ] as const)('a wallet with the result %s is linked in any case: %s', async (answer, outcome) => {
    world.says.answer = answer;
    const done = await verify(await world.linkFor());
    expect(done.data).toMatchObject({ outcome, sentences: ['1 rock: 1 in your wallet.'] });
    expect(world.owners.get(wallet.address)).toBe(gwen.userId);
  });

  test('a server that is not set up yet says so', async () => {
    world.guild.current = { name: 'Rock Mountain', isPresent: true, nftName: null, isSetUp: false };
    expect((await verify(await world.linkFor())).data).toMatchObject({ outcome: 'not-set-up' });
  });
});
