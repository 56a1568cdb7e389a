import { describe, expect, it } from 'vitest';

import { createTokens } from './tokens.ts';

const tokens = createTokens('a secret of this test, of 32 characters');
const others = createTokens('another secret, of as many characters');

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
    const mark = tokens.newDeviceMark(chief, false);
    const read = tokens.readDeviceMark(mark);
    expect(read?.device).toBe(mark.split('.')[0]);
    expect(read?.isOf(chief)).toBe(true);
    expect(read?.isOf({ ...chief, id: '2' })).toBe(false);
    expect(read?.isOf({ ...chief, passwordHash: '$argon2id$another' })).toBe(false);
    expect(others.readDeviceMark(mark)).toBeNull();
    expect(tokens.readDeviceMark(`${mark.slice(0, -2)}${mark.endsWith('AA') ? 'BB' : 'AA'}`)).toBeNull();
    const [device, , seal] = mark.split('.');
    const other = tokens.newDeviceMark({ ...chief, id: '2' }, false).split('.')[1];
    expect(tokens.readDeviceMark([device, other, seal].join('.'))).toBeNull();
    expect(tokens.newDeviceMark(chief, false)).not.toBe(mark);
  });

  it("a browser's mark says whether the browser gave a second factor", () => {
    const chief = { id: '1', passwordHash: '$argon2id$of-the-chief' };
    const [proven, other] = [true, false].map((each) => tokens.readDeviceMark(tokens.newDeviceMark(chief, each)));
    expect([proven?.isOf(chief), proven?.hasProven(chief)]).toEqual([true, true]);
    expect([other?.isOf(chief), other?.hasProven(chief)]).toEqual([true, false]);
    expect(proven?.hasProven({ ...chief, passwordHash: '$argon2id$another' })).toBe(false);
  });

  it('a name in the log is replaced by a mark: equal for equal names, different in each installation, and not the name', () => {
    expect(tokens.nameMark('chief')).toBe(tokens.nameMark('chief'));
    expect(tokens.nameMark('chief')).not.toBe(tokens.nameMark('chie'));
    expect(tokens.nameMark('chief')).not.toBe(others.nameMark('chief'));
    expect(tokens.nameMark('chief')).toMatch(/^[\w-]{16}$/);
  });

  it('two parts are hashed separately, not as one joined text', () => {
    const [one, other] = [
      tokens.attemptKey('account-at-address', '192.0.2.1', 'chief'),
      tokens.attemptKey('account-at-address', '192.0.2.1c', 'hief'),
    ].map((hash) => Buffer.from(hash).toString('hex'));
    expect(one).not.toBe(other);
  });
});
