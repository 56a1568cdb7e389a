import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { auditTrail as trail } from '../../src/audit/audit-log.ts';
import type { Database } from '../../src/db/schema.ts';
import type { AuditEntry, Redaction } from '../../src/audit/contract.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const [server, otherServer] = ['700000000000000001', '700000000000000002'];
const [gwen, hugo] = ['811111111111111111', '911111111111111111'];
const wallet = `0x${'ab'.repeat(32)}`;

let database: TestDatabase;
let db: Kysely<Database>;
beforeEach(async () => {
  database = await testDatabase();
  db = typedKysely(database.pool);
});
afterEach(() => database.drop());

const member = (id: string, label: string, guildId: string = server) => ({
  kind: 'discord-member',
  id: `${guildId}/${id}`,
  label,
});
const guild = { kind: 'discord-guild', id: server, label: 'Rock Hall' };
const [byGwen, byHugo] = [
  { kind: 'discord', userId: gwen, name: 'Granite Gwen' },
  { kind: 'discord', userId: hugo, name: 'Hugo' },
] as const;
const byAdmin = { kind: 'admin', userId: '1', name: 'Chief' } as const;
const bySystem = { kind: 'system', name: 'role check' } as const;

const entry = (given: Partial<AuditEntry> & Pick<AuditEntry, 'actor' | 'subject'>): AuditEntry => ({
  action: 'discord-something',
  before: null,
  after: null,
  ...given,
});
const nameAndId = (id: string, name: string) => `${name} (${id})`;

const record = (...entries: readonly AuditEntry[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    for (const each of entries) await trail.record(each, trx);
  });
const redaction: Redaction = {
  subject: { kind: 'discord-member', id: `${server}/${gwen}` },
  placeId: server,
  actor: { kind: 'discord', userId: gwen },
  label: 'a member of Rock Hall',
  fields: ['wallet'],
};
const redact = () => db.transaction().execute((trx) => trail.redact(redaction, trx));
const entries = () =>
  database.rows<Record<string, unknown>>(
    'select actor_kind, actor_id, actor_name, subject_id, subject_label, before, after from audit_entries order by id',
  );

describe('the audit log, after a member had their data deleted', () => {
  test('says what happened and when, but neither to whom nor with which wallet', async () => {
    await record(
      entry({
        actor: byGwen,
        subject: member(gwen, 'Granite Gwen in Rock Hall'),
        after: { wallet, scheme: 'ed25519' },
      }),
      entry({ actor: bySystem, subject: member(gwen, 'Granite Gwen in Rock Hall'), after: { cause: 'verified' } }),
      entry({ actor: byAdmin, subject: member(gwen, 'Granite Gwen in Rock Hall'), before: { wallet } }),
    );
    await redact();
    const theirs = { subject_id: 'deleted member', subject_label: 'a member of Rock Hall' };
    expect(await entries()).toEqual([
      {
        ...theirs,
        actor_kind: 'discord',
        actor_id: null,
        actor_name: 'deleted member',
        before: null,
        after: { scheme: 'ed25519' },
      },
      {
        ...theirs,
        actor_kind: 'system',
        actor_id: null,
        actor_name: 'role check',
        before: null,
        after: { cause: 'verified' },
      },
      { ...theirs, actor_kind: 'admin', actor_id: '1', actor_name: 'Chief', before: {}, after: null },
    ]);
  });

  test('no longer names them in a list of members, but still as the admin who set up the server', async () => {
    const members = [nameAndId(hugo, 'Hugo'), nameAndId(gwen, 'Granite (Gwen)'), nameAndId(`1${gwen}`, 'Gwen')];
    await record(
      entry({ actor: bySystem, subject: guild, after: { memberCount: 3, members } }),
      entry({ actor: byGwen, subject: guild, after: { roleId: '5' } }),
    );
    await redact();
    const [listed, setUp] = await entries();
    expect(listed?.['after']).toEqual({ memberCount: 3, members: [members[0], 'deleted member', members[2]] });
    expect(setUp).toMatchObject({
      actor_id: gwen,
      actor_name: 'Granite Gwen',
      subject_label: 'Rock Hall',
      after: { roleId: '5' },
    });
  });

  test('is unchanged about everybody else, other servers, and what the team authorized', async () => {
    await record(
      entry({ actor: byHugo, subject: member(hugo, 'Hugo in Rock Hall'), after: { wallet } }),
      entry({ actor: bySystem, subject: guild, after: { members: [nameAndId(hugo, 'Hugo')] } }),
      entry({ actor: byGwen, subject: member(gwen, 'Gwen in Pebble Beach', otherServer), after: { wallet } }),
      entry({ actor: byAdmin, subject: guild, after: { wallet, reason: 'Lent hers to the fair' } }),
      entry({ actor: { ...byAdmin, userId: gwen }, subject: guild, after: { members: 7 } }),
    );
    const before = await entries();
    await redact();
    expect(await entries()).toEqual(before);
  });

  test('was redacted without a full scan', async () => {
    await database.pool.query(
      `insert into audit_entries (actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_label, after)
       select 'discord', 'u' || n, 'Rocky', 'discord-wallet-linked', 'discord-member', $1 || '/u' || n, 'Rocky in Rock Hall',
         jsonb_build_object('wallet', n)
       from generate_series(1, 20000) n
       union all
       select 'system', null, 'sweep', 'discord-authorized', 'discord-guild', $1, 'Rock Hall', null from generate_series(1, 5000)`,
      [server],
    );
    await database.pool.query('vacuum analyze audit_entries');
    const [reads] = await db.transaction().execute(async (trx) => {
      await trail.redact(redaction, trx);
      const { rows } = await sql<{ seqScan: string; idxTupFetch: string }>`
        select seq_scan, idx_tup_fetch from pg_stat_xact_user_tables where relname = 'audit_entries'`.execute(trx);
      return rows;
    });
    expect(reads?.seqScan).toBe('0');
    expect(Number(reads?.idxTupFetch)).toBeLessThan(100);
  });
});
