import { describe, expect, it } from 'vitest';

import { createTokens } from './tokens.ts';

const tokens = createTokens('a secret of this test, of 32 characters');
const others = createTokens('another secret, of as many characters');
const newDeviceToken = (account: { id: string; passwordHash: string }, proved: 'password' | 'second-factor') =>
  tokens.deviceCookie(null, account, proved, new Date(0)).token;

describe('a session token', () => {
  it('is 32 random bytes: every bit varies, and no token is made twice', () => {
    const made = Array.from({ length: 1_000 }, () => tokens.newToken());
    expect(new Set(made).size).toBe(made.length);
    const bytes = made.map((token) => Buffer.from(token, 'base64url'));
    expect(bytes.filter(({ length }) => length !== 32)).toEqual([]);
    // A thousand coin tosses give fewer than 350 or more than 650 heads in no lifetime.
    for (let bit = 0; bit < 256; bit += 1) {
      const ones = bytes.filter((each) => ((each[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
      expect(ones).toBeGreaterThan(350);
      expect(ones).toBeLessThan(650);
    }
  });

  it('has a hash that only this installation can compute', () => {
    const token = tokens.newToken();
    expect(tokens.sessionHash(token)).toEqual(tokens.sessionHash(token));
    expect(tokens.sessionHash(token)).not.toEqual(others.sessionHash(token));
    expect(tokens.sessionHash(token)).not.toEqual(tokens.sessionHash(tokens.newToken()));
  });
});

describe('hashes and marks', () => {
  it('a hash made for one purpose is useless for another', () => {
    const token = tokens.newToken();
    const hashes = [
      tokens.sessionHash(token),
      ...(['device', 'address', 'account', 'account-at-address'] as const).map((kind) =>
        tokens.attemptKey(kind, token),
      ),
    ].map((hash) => hash?.toString());
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("a browser's mark is valid only for this installation, one account and its current password", () => {
    const chief = { id: '1', passwordHash: '$argon2id$of-the-chief' };
    const mark = newDeviceToken(chief, 'password');
    const read = tokens.readDeviceToken(mark);
    expect(read?.device).toBe(mark.split('.')[0]);
    expect(read?.hasProved(chief, 'password')).toBe(true);
    expect(read?.hasProved({ ...chief, id: '2' }, 'password')).toBe(false);
    expect(read?.hasProved({ ...chief, passwordHash: '$argon2id$another' }, 'password')).toBe(false);
    expect(others.readDeviceToken(mark)).toBeNull();
    expect(tokens.readDeviceToken(`${mark.slice(0, -2)}${mark.endsWith('AA') ? 'BB' : 'AA'}`)).toBeNull();
    const [device, , seal] = mark.split('.');
    const other = newDeviceToken({ ...chief, id: '2' }, 'password').split('.')[1];
    expect(tokens.readDeviceToken([device, other, seal].join('.'))).toBeNull();
    expect(newDeviceToken(chief, 'password')).not.toBe(mark);
  });

  it("a browser's mark says whether the browser gave a second factor", () => {
    const chief = { id: '1', passwordHash: '$argon2id$of-the-chief' };
    const proven = tokens.readDeviceToken(newDeviceToken(chief, 'second-factor'));
    const other = tokens.readDeviceToken(newDeviceToken(chief, 'password'));
    const provedBy = (device: typeof other) =>
      (['password', 'second-factor'] as const).filter((what) => device?.hasProved(chief, what));
    expect(provedBy(proven)).toEqual(['password', 'second-factor']);
    expect(provedBy(other)).toEqual(['password']);
    expect(proven?.hasProved({ ...chief, passwordHash: '$argon2id$another' }, 'second-factor')).toBe(false);
  });

  it('a browser keeps its mark until it proves more than the mark says', () => {
    const chief = { id: '1', passwordHash: '$argon2id$of-the-chief' };
    const at = new Date('2026-11-20T12:00:00Z');
    const mark = newDeviceToken(chief, 'password');
    expect(tokens.deviceCookie(mark, chief, 'password', at)).toEqual({
      token: mark,
      expiresAt: new Date('2027-05-19T12:00:00Z'),
    });
    const stronger = tokens.deviceCookie(mark, chief, 'second-factor', at).token;
    expect(tokens.readDeviceToken(stronger)?.hasProved(chief, 'second-factor')).toBe(true);
    expect(tokens.deviceCookie(stronger, chief, 'password', at).token).toBe(stronger);
    expect(tokens.deviceCookie(stronger, { ...chief, id: '2' }, 'password', at).token).not.toBe(stronger);
  });

  it('a name in the log is replaced by a mark: equal for equal names, different in each installation, and not the name', () => {
    expect(tokens.pseudonym('chief')).toBe(tokens.pseudonym('chief'));
    expect(tokens.pseudonym('chief')).not.toBe(tokens.pseudonym('chie'));
    expect(tokens.pseudonym('chief')).not.toBe(others.pseudonym('chief'));
    expect(tokens.pseudonym('chief')).toMatch(/^[\w-]{16}$/);
  });

  it('two parts are hashed separately, not as one joined text', () => {
    const [one, other] = [
      tokens.attemptKey('account-at-address', '192.0.2.1', 'chief'),
      tokens.attemptKey('account-at-address', '192.0.2.1c', 'hief'),
    ].map((hash) => Buffer.from(hash).toString('hex'));
    expect(one).not.toBe(other);
  });
});
