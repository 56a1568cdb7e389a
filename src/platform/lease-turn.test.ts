import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { testDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { until } from '../../tests/support/until.ts';
import { kyselyOver } from '../db/connect.ts';
import { createLeaseTurn } from './lease-turn.ts';
import { createLeases, type LeaseTables } from './leases.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

const turnOf = (holder: string, ttlMs?: number) =>
  createLeaseTurn(createLeases(kyselyOver<LeaseTables>(database.pool), { holder }), 'count the rocks', ttlMs);

describe('rulings R7: one copy at a time', () => {
  test('the second copy is told that somebody is at it, and gets the turn afterwards', async () => {
    const [one, two] = [turnOf('one'), turnOf('two')];
    await one.runAlone(async () => {
      expect(await two.runAlone(() => Promise.reject(new Error('ran at the same time')))).toBe(false);
    });
    expect(await two.runAlone(() => Promise.resolve())).toBe(true);
  });

  test('work that fails gives its turn back', async () => {
    const one = turnOf('one');
    await expect(one.runAlone(() => Promise.reject(new Error('a rock fell')))).rejects.toThrow('a rock fell');
    expect(await one.runAlone(() => Promise.resolve())).toBe(true);
  });

  test('what the work came to is told, also when its turn cannot be given back: a lease ends by itself', async () => {
    const loseLeases = () => database.rows('alter table leases rename to gone');
    const findLeases = () => database.rows('alter table gone rename to leases');
    const one = turnOf('one', 5_000);
    expect(await one.runAlone(async () => void (await loseLeases()))).toBe(true);
    await findLeases();
    await database.rows("update leases set expires_at = '-infinity'");
    const falling = one.runAlone(async () => {
      await loseLeases();
      throw new Error('a rock fell');
    });
    await expect(falling).rejects.toThrow('a rock fell');
  });

  test('work that takes longer than a lease stays alone', async () => {
    const ttlMs = 150;
    const [one, two] = [turnOf('one', ttlMs), turnOf('two', ttlMs)];
    await one.runAlone(async () => {
      const endsAtMs = Date.now() + 4 * ttlMs;
      await until('four leases have passed', async () => {
        expect(await two.runAlone(() => Promise.resolve())).toBe(false);
        return Date.now() > endsAtMs;
      });
    });
  });
});
