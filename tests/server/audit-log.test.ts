import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { auditTrail } from '../../src/audit/audit-log.ts';
import { auditAnswer, type AuditEntry } from '../../src/audit/contract.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type AuthWorld, type Browser, chief, guest, startAuthWorld } from '../support/running-auth.ts';

let world: AuthWorld;
let admin: Browser;

beforeAll(async () => {
  world = await startAuthWorld();
  admin = world.browser();
  await admin.logIn(chief.username, chief.password);
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.database.pool.query('truncate audit_entries restart identity');
});

const sample: AuditEntry = {
  actor: { kind: 'admin', userId: '1', name: 'Chief' },
  action: 'telegram-configuration-deleted',
  subject: { kind: 'telegram-configuration', id: '7', label: 'Rock Hounds' },
  before: { trackMint: true },
  after: null,
};

const record = (...entries: readonly Partial<AuditEntry>[]): Promise<void> =>
  typedKysely(world.database.pool)
    .transaction()
    .execute(async (transaction) => {
      for (const entry of entries) {
        await auditTrail.record({ ...sample, ...entry }, transaction);
      }
    });

const read = async (query = '') => {
  const { status, text } = await admin.ask(`/api/audit${query}`);
  expect([query, status]).toEqual([query, 200]);
  return auditAnswer.parse(JSON.parse(text).data);
};
const idsOf = async (query: string): Promise<readonly string[]> => (await read(query)).entries.map(({ id }) => id);

describe('rulings R6: the log of every mutation', () => {
  test('says who, what, before, after and when', async () => {
    await record({});
    const { entries, nextBefore } = await read();
    expect(entries).toEqual([
      {
        id: '1',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        actor: { kind: 'admin', name: 'Chief' },
        action: 'telegram-configuration-deleted',
        subject: { kind: 'telegram-configuration', id: '7', label: 'Rock Hounds' },
        before: { trackMint: true },
        after: null,
      },
    ]);
    expect(nextBefore).toBeNull();
  });

  test('comes newest first, one page at a time, and new entries do not move the older pages', async () => {
    await record(...Array.from({ length: 7 }, (_, index) => ({ action: `number-${index + 1}` })));
    const first = await read('?limit=3');
    expect([first.entries.map(({ action }) => action), first.nextBefore]).toEqual([
      ['number-7', 'number-6', 'number-5'],
      '5',
    ]);
    await record({ action: 'number-8' });
    const second = await read(`?limit=3&before=${first.nextBefore}`);
    expect([second.entries.map(({ action }) => action), second.nextBefore]).toEqual([
      ['number-4', 'number-3', 'number-2'],
      '2',
    ]);
    const last = await read(`?limit=3&before=${second.nextBefore}`);
    expect([last.entries.map(({ action }) => action), last.nextBefore]).toEqual([['number-1'], null]);
  });

  test('is filtered by the beginning of the action, the actor or the subject, in upper or lower case', async () => {
    await record(
      {},
      {
        action: 'user-added',
        actor: { kind: 'command', name: 'Ogg' },
        subject: { kind: 'user', id: '9', label: '100%' },
      },
      { action: 'telegram-mint-count-reset', subject: { kind: 'telegram-configuration', id: '8', label: '7 rocks' } },
    );
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['?action=telegram', ['3', '1']],
      ['?action=Telegram%20configuration%20deleted', ['1']],
      ['?action=configuration', []],
      ['?actor=chi', ['3', '1']],
      ['?actor=OGG', ['2']],
      ['?subject=7', ['3', '1']],
      ['?subject=rock', ['1']],
      ['?subject=100%25', ['2']],
      ['?subject=%25', []],
      ['?actor=_gg', []],
      ['?actor=chief&subject=8', ['3']],
      ["?actor='%20or%20true%20--", []],
    ];
    for (const [query, ids] of cases) expect([query, await idsOf(query)]).toEqual([query, ids]);
  });

  test.each(['actor=İbrahim', 'actor=İBR', 'actor=command:İbrahim', 'subject=ΣΊΣΥΦΟΣ', 'subject=σίσυφοσ'])(
    'is filtered in any alphabet: %s',
    async (filter) => {
      await record(
        { actor: { kind: 'command', name: 'İbrahim' }, subject: { kind: 'user', id: '2', label: 'ΣΊΣΥΦΟΣ' } },
        {},
      );
      expect(await idsOf(`?${encodeURI(filter)}`)).toEqual(['1']);
    },
  );

  test('is filtered to exactly one actor or subject by its kind, however others are called', async () => {
    const of = (kind: string, id: string, label: string) => ({ subject: { kind, id, label } });
    const by = (kind: 'admin' | 'telegram', name: string) => ({ actor: { kind, userId: '5', name } });
    await record(
      { ...of('user', '2', 'Bob'), ...by('admin', 'admin') },
      { ...of('payout', '2', 'November'), ...by('admin', 'admin2') },
      { ...of('payout', '3', '2nd share'), ...by('telegram', 'admin') },
      of('payout', '4', 'Re: user:2'),
    );
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['?subject=2', ['3', '2', '1']],
      ['?subject=user:2', ['1']],
      ['?subject=payout:2', ['2']],
      ['?subject=user:Bob', []],
      ['?subject=re:%20USER', ['4']],
      ['?actor=admin', ['3', '2', '1']],
      ['?actor=admin:Admin', ['1']],
      ['?actor=telegram:admin', ['3']],
    ];
    for (const [query, ids] of cases) expect([query, await idsOf(query)]).toEqual([query, ids]);
  });

  test('is filtered by time, both ends included', async () => {
    await record({}, {}, {});
    await world.database.pool.query(
      `update audit_entries set at = timestamptz '2026-11-20T23:59:59.9995Z' + (id - 2) * interval '1 day'`,
    );
    expect(await idsOf('?from=2026-11-20T00:00:00.000Z&to=2026-11-20T23:59:59.999Z')).toEqual(['2']);
    expect(await idsOf('?from=2026-11-20T23:59:59.999Z')).toEqual(['3', '2']);
    expect(await idsOf('?to=2026-11-21T00:59:59.999%2B01:00')).toEqual(['2', '1']);
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=many',
    '?before=x',
    '?before=-1',
    '?before=99999999999999999999',
    '?from=yesterday',
    '?action=',
    '?actor=a%00b',
    `?subject=${'x'.repeat(201)}`,
    '?page=2',
    '?limit=1&limit=2',
  ])('%s is a 400', async (query) => {
    expect((await admin.ask(`/api/audit${query}`)).status).toBe(400);
  });

  test('stores any text from outside, and shortens what is too long', async () => {
    const label = `<b>\0🪨\ud800"'${'x'.repeat(500)}`;
    await record({ subject: { kind: 'chat', id: '-100', label }, after: { title: 'a\0b\udc00', deep: [{ t: '\0' }] } });
    const [entry] = (await read()).entries;
    expect(entry?.subject.label).toMatch(/^<b>🪨\ufffd"'x{280,300}$/u);
    expect(entry?.after).toEqual({ title: 'ab\ufffd', deep: [{ t: '' }] });
  });

  test('has no entry for a change that was rolled back', async () => {
    const undone = typedKysely(world.database.pool)
      .transaction()
      .execute(async (transaction) => {
        await auditTrail.record(sample, transaction);
        throw new Error('undone');
      });
    await expect(undone).rejects.toThrow('undone');
    expect((await read()).entries).toEqual([]);
  });

  test('rolls back a change whose entry cannot be written', async () => {
    const { pool } = world.database;
    await pool.query("alter table audit_entries add constraint no_new_users check (action <> 'user-added')");
    const added = world.accounts.add({ username: 'Ogga', password: 'mammoth-by-the-lake', rights: 'admin' });
    await expect(added).rejects.toThrow('no_new_users');
    await pool.query('alter table audit_entries drop constraint no_new_users');
    expect((await world.accounts.list()).map(({ username }) => username)).not.toContain('Ogga');
  });

  test('is for admins only, and never cached', async () => {
    expect((await world.browser().ask('/api/audit')).status).toBe(401);
    const visitor = world.browser();
    await visitor.logIn(guest.username, guest.password);
    const { status, text } = await visitor.ask('/api/audit');
    expect([status, JSON.parse(text)]).toEqual([
      403,
      { message: 'This account has no admin access. Sign in with one that has.', code: 'not-an-admin' },
    ]);
    expect((await admin.ask('/api/audit')).headers['cache-control']).toBe('no-store');
  });
});
