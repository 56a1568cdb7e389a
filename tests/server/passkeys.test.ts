import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type AuthWorld, type Browser, chief, startAuthWorld } from '../support/running-auth.ts';
import { addPasskey, type AskedFor, beginPasskey, confirm, giveFactor } from '../support/second-factors.ts';
import { softwarePasskey, type SoftwarePasskey } from '../support/software-passkey.ts';

let world: AuthWorld;
let owner: Browser;
let passkey: SoftwarePasskey;

beforeAll(async () => {
  world = await startAuthWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.forgetLogins();
  owner = world.browser('198.51.100.1');
  await owner.logIn(chief.username, chief.password);
  passkey = softwarePasskey();
});

/** Takes the first step; returns the question of the second. */
async function begin(browser: Browser): Promise<AskedFor> {
  const { text } = await browser.logIn(chief.username, chief.password);
  return (JSON.parse(text) as { secondFactor: AskedFor }).secondFactor;
}
const challengeOf = ({ passkey: asked }: AskedFor): string => asked?.challenge ?? '';
const signed = (response: object) => ({ kind: 'passkey', response });

describe('a passkey', () => {
  test('is asked for after the password, and signs in', async () => {
    await addPasskey(owner, chief.password, passkey);
    const browser = world.browser();
    const asked = await begin(browser);
    expect(asked).toMatchObject({
      code: false,
      passkey: { rpId: 'localhost', userVerification: 'required', allowCredentials: [{ id: passkey.id }] },
    });
    const answer = await giveFactor(browser, signed(passkey.get(challengeOf(asked))));
    expect([answer.status, await browser.check()]).toEqual([200, 200]);
    expect((await world.audited()).slice(1)).toEqual(['second-factor-added Chief', 'logged-in Chief']);
  });

  test('can be one of several, each with a name', async () => {
    const other = softwarePasskey();
    await addPasskey(owner, chief.password, passkey, 'My phone');
    const second = await addPasskey(owner, chief.password, other, 'The key in the drawer');
    expect(second).toMatchObject({ factor: { kind: 'passkey', name: 'The key in the drawer' }, recoveryCodes: null });
    for (const each of [passkey, other]) {
      const browser = world.browser();
      const asked = await begin(browser);
      expect(asked.passkey?.allowCredentials).toHaveLength(2);
      expect((await giveFactor(browser, signed(each.get(challengeOf(asked))))).status).toBe(200);
    }
  });

  test.each<readonly [string, (challenge: string) => object]>([
    ['signed for another site', (challenge) => passkey.get(challenge, { origin: 'https://evil.example' })],
    ['for another RP', (challenge) => passkey.get(challenge, { rpId: 'evil.example' })],
    ['without user verification', (challenge) => passkey.get(challenge, { unverified: true })],
    ['of an unknown key', (challenge) => softwarePasskey().get(challenge)],
    ['with the signature of another key', (challenge) => ({ ...softwarePasskey().get(challenge), ...named() })],
  ])('%s is refused', async (_, make) => {
    await addPasskey(owner, chief.password, passkey);
    const browser = world.browser();
    const answer = await giveFactor(browser, signed(make(challengeOf(await begin(browser)))));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      401,
      { message: 'That did not match. Try again: each code works once.', code: 'wrong-second-factor' },
    ]);
    expect(await browser.check()).toBe(401);
  });
  test('signed for an earlier question is no wrong one: the answer is to start again', async () => {
    await addPasskey(owner, chief.password, passkey);
    const browser = world.browser();
    const earlier = challengeOf(await begin(browser));
    await begin(browser);
    const late = await giveFactor(browser, signed(passkey.get(earlier)));
    expect([late.status, JSON.parse(late.text)]).toMatchObject([401, { code: 'login-over' }]);
    // The same in an open session, where another tab has asked.
    const asked = await confirm(owner, () => signed(passkey.get(earlier)));
    expect([asked.status, JSON.parse(asked.text)]).toMatchObject([409, { code: 'challenge-over' }]);
    expect(await world.audited()).not.toContain('second-factor-refused Chief');
  });
  const named = () => ({ id: passkey.id, rawId: passkey.id });

  test.each<[string, unknown]>([
    ['nothing in it', {}],
    ['parts of the wrong types', { type: 'public-key', response: { clientDataJSON: 7, authenticatorData: null } }],
    [
      'text that is not base64',
      { type: 'public-key', response: { clientDataJSON: '\u0000', authenticatorData: '?', signature: '' } },
    ],
  ])('with %s is refused like any other', async (_, parts) => {
    await addPasskey(owner, chief.password, passkey);
    const browser = world.browser();
    await begin(browser);
    const response = { ...named(), ...(parts as object) };
    expect((await giveFactor(browser, signed(response))).status).toBe(401);
  });

  test('whose counter does not increase is a copy, and refused', async () => {
    await addPasskey(owner, chief.password, passkey);
    const statuses: number[] = [];
    for (const counter of [7, 7, 6, 8]) {
      const browser = world.browser();
      const challenge = challengeOf(await begin(browser));
      statuses.push((await giveFactor(browser, signed(passkey.get(challenge, { counter })))).status);
    }
    expect(statuses).toEqual([200, 401, 401, 200]);
  });

  test('without a counter, like those of phones, is accepted again and again', async () => {
    await addPasskey(owner, chief.password, passkey);
    for (let count = 0; count < 3; count += 1) {
      const browser = world.browser();
      const challenge = challengeOf(await begin(browser));
      expect((await giveFactor(browser, signed(passkey.get(challenge, { counter: 0 })))).status).toBe(200);
    }
  });

  test('works once with each answer', async () => {
    await addPasskey(owner, chief.password, passkey);
    const browser = world.browser();
    const answer = signed(passkey.get(challengeOf(await begin(browser)), { counter: 0 }));
    expect((await giveFactor(browser, answer)).status).toBe(200);
    await begin(browser);
    expect((await giveFactor(browser, answer)).status).toBe(401);
  });
});

describe('adding a passkey', () => {
  test('asks for the password', async () => {
    const json = { password: 'wrong' };
    const { status, text } = await owner.ask('/api/auth/passkeys/begin', { method: 'POST', json });
    expect([status, JSON.parse(text)]).toEqual([403, { message: 'The password is wrong.', code: 'wrong-password' }]);
  });

  test('needs an answer to this very question, and accepts each passkey once', async () => {
    const stranger = softwarePasskey({ origin: 'https://evil.example', rpId: 'evil.example' });
    await expect(addPasskey(owner, chief.password, stranger)).rejects.toThrow('wrong-second-factor');
    await addPasskey(owner, chief.password, passkey);
    await expect(addPasskey(owner, chief.password, passkey)).rejects.toThrow('answered 409');
  });

  test('that another tab has begun again, or an app beside it, is over', async () => {
    const earlier = passkey.create(await beginPasskey(owner, chief.password));
    const add = async () => {
      const json = { name: 'My key', response: earlier };
      const { status, text } = await owner.ask('/api/auth/passkeys', { method: 'POST', json });
      return [status, JSON.parse(text)] as unknown;
    };
    await beginPasskey(owner, chief.password);
    expect(await add()).toMatchObject([409, { code: 'challenge-over' }]);
    const json = { password: chief.password };
    await owner.ask('/api/auth/authenticators/begin', { method: 'POST', json });
    expect(await add()).toMatchObject([409, { code: 'challenge-over' }]);
  });

  test('refuses a format that makes the server fetch addresses from the sender, even with a valid signature', async () => {
    const attested = { ...passkey, create: (challenge: string) => passkey.create(challenge, 'fido-u2f') };
    await expect(addPasskey(owner, chief.password, attested)).rejects.toThrow('wrong-second-factor');
  });

  test('says what to do on an IP address, where browsers have no passkeys', async () => {
    const elsewhere = await startAuthWorld({ publicUrl: 'http://192.0.2.7:3000' });
    try {
      const browser = elsewhere.browser();
      await browser.logIn(chief.username, chief.password);
      const json = { password: chief.password };
      const { status, text } = await browser.ask('/api/auth/passkeys/begin', { method: 'POST', json });
      expect([status, JSON.parse(text)]).toMatchObject([409, { code: 'no-passkeys-here' }]);
    } finally {
      await elsewhere.end();
    }
  });
});
