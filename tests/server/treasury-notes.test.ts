import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import {
  type LedgerAnswer,
  nameOfAddress,
  noteOfMovement,
  treasuryStatusAnswer,
} from '../../src/treasury/ledger-contract.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { startLedgerScene } from '../support/ledger-scene.ts';
import { type Product, startProduct } from '../support/product.ts';
import { addUser } from '../support/user-command.ts';
import { until } from '../support/until.ts';
import { dataOf } from '../support/route-request.ts';

const staleNote = z.object({ message: z.string(), code: z.literal('stale'), current: noteOfMovement });

const accounts = {
  admin: { username: 'ogg', password: 'rock-solid-password' },
  user: { username: 'pebble', password: 'just-looking-around' },
} as const;

let database: TestDatabase;
let product: Product;
const cookies = { anybody: '', user: '', admin: '' };
beforeAll(async () => {
  database = await testDatabase();
  const place = { DATABASE_URL: database.url, SESSION_SECRET: 's'.repeat(32) };
  const { username: ADMIN_USERNAME, password: ADMIN_PASSWORD } = accounts.admin;
  product = await startProduct({ env: { ...place, ADMIN_USERNAME, ADMIN_PASSWORD } });
  await addUser(place, accounts.user);
  for (const role of ['user', 'admin'] as const) {
    const answer = await send('POST', '/api/auth/login', accounts[role], { role: 'anybody' });
    cookies[role] = answer.cookies;
  }
  await until('the ledger is read', async () => (await ledger()).complete, 90_000);
});
afterAll(async () => {
  await product.stop();
  await database.drop();
});

interface How {
  readonly role?: keyof typeof cookies;
  readonly ifMatch?: number;
}

/** As an admin by default. */
async function send(method: string, path: string, body?: unknown, { role = 'admin', ifMatch }: How = {}) {
  const answer = await fetch(product.url + path, {
    method,
    headers: {
      cookie: cookies[role],
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { readonly message?: string; readonly code?: string },
    cookies: answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1).join(''))
      .join('; '),
  };
}

const ledger = async (query = ''): Promise<LedgerAnswer> =>
  ((await (await fetch(`${product.url}/api/treasury/ledger${query}`)).json()) as { data: LedgerAnswer }).data;
const newest = async (at = 0) => {
  const entry = (await ledger()).entries[at];
  if (entry === undefined) throw new Error('The ledger has no such entry');
  return entry;
};
const entryOf = async (digest: string) => (await ledger()).entries.find((each) => each.digest === digest);
const noteOn = (digest: string) => `/api/admin/treasury/notes/${digest}`;
const nameOf = (address: string) => `/api/admin/treasury/names/${address}`;
const status = async () => dataOf(treasuryStatusAnswer, (await send('GET', '/api/admin/treasury')).body);
const logOf = (action: string) =>
  database.rows<{ actor_name: string; subject_id: string; before: unknown; after: unknown }>(
    'select actor_name, subject_id, before, after from audit_entries where action = $1 order by id',
    [action],
  );
const words = { text: 'Paint for the <cave>, "blue"', link: 'https://rocks.example/paint?a=1&b=2' };

describe("the team's note on a movement (rulings R8)", () => {
  test('is shown beside the facts from the chain, in the ledger and in its CSV, with its link and its time', async () => {
    const { digest } = await newest();
    const saved = dataOf(noteOfMovement, (await send('PUT', noteOn(digest), words)).body);
    expect(saved).toMatchObject({ digest, note: { ...words, by: 'ogg' } });
    const at = saved.note?.at ?? '';
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    // Only the team can see who wrote it.
    expect((await entryOf(digest))?.note).toEqual({ ...words, at });
    const csv = await (await fetch(`${product.url}/api/treasury/ledger.csv`)).text();
    const lines = csv.split('\r\n').filter((line) => line.includes('Paint for the'));
    expect(lines).toEqual([expect.stringContaining(`"Paint for the <cave>, ""blue""",${words.link},`)]);
  });

  test('is logged with author, before and after; a change without effect is not logged', async () => {
    const { digest } = await newest();
    const changed = { text: 'Paint, all of it', link: null };
    await send('PUT', noteOn(digest), changed);
    await send('PUT', noteOn(digest), changed);
    expect((await send('DELETE', noteOn(digest))).status).toBe(200);
    expect((await entryOf(digest))?.note).toBeNull();
    expect(await logOf('treasury-note-saved')).toEqual([
      { actor_name: 'ogg', subject_id: digest, before: null, after: words },
      { actor_name: 'ogg', subject_id: digest, before: words, after: changed },
    ]);
    expect(await logOf('treasury-note-deleted')).toEqual([
      { actor_name: 'ogg', subject_id: digest, before: changed, after: null },
    ]);
    expect(await send('DELETE', noteOn(digest))).toMatchObject({
      status: 404,
      body: { message: 'There is no note on this movement. Refresh the page.' },
    });
  });

  test('is saved for the first of two admins at once; the second sees that version and may then save over it', async () => {
    const { digest } = await newest(1);
    const seen = { ifMatch: 0 };
    const answers = await Promise.all(
      ['One', 'Other'].map((text) => send('PUT', noteOn(digest), { text, link: null }, seen)),
    );
    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const { current, message } = staleNote.parse(answers.find((answer) => answer.status === 409)?.body);
    expect(message).toContain('Someone else changed this note in the meantime.');
    expect((await entryOf(digest))?.note?.text).toBe(current.note?.text);
    const version = { ifMatch: Date.parse(current.note?.at ?? '') };
    expect((await send('PUT', noteOn(digest), { text: 'Both', link: null }, version)).status).toBe(200);
    expect((await send('DELETE', noteOn(digest), undefined, version)).status).toBe(409);
    expect((await entryOf(digest))?.note?.text).toBe('Both');
  });

  test('is refused from anyone who is not an admin', async () => {
    const { digest, counterparty } = await newest(2);
    const address = counterparty?.address ?? `0x${'1'.repeat(64)}`;
    const calls = [
      ['GET', '/api/admin/treasury', undefined],
      ['GET', '/api/admin/treasury/names', undefined],
      ['PUT', noteOn(digest), words],
      ['DELETE', noteOn(digest), undefined],
      ['PUT', nameOf(address), { name: 'Mine', role: 'team' }],
      ['DELETE', nameOf(address), undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      expect((await send(method, path, body, { role: 'anybody' })).status, `${method} ${path}`).toBe(401);
      expect((await send(method, path, body, { role: 'user' })).status, `${method} ${path}`).toBe(403);
    }
    expect((await entryOf(digest))?.note).toBeNull();
  });

  test.each([
    [{ text: '', link: null }, /^The field "text" of the body is not valid: .*\.$/],
    [{ text: '\u200B \u202E', link: null }, /^The note has no visible letter\. Type a note\.$/],
    [{ text: 'x'.repeat(281), link: null }, /^The field "text" of the body is not valid: .*\.$/],
    [{ text: 'x', link: 'http://rocks.example' }, /^A link begins with https:\/\/ and leads to a page\.$/],
    [{ text: 'x', link: 'javascript:alert(1)' }, /^A link begins with https:\/\/ and leads to a page\.$/],
    [{ text: 'x', link: 'https://ogg:secret@rocks.example' }, /^A link begins with https:\/\/ and leads to a page\.$/],
    [{ text: 'x', link: `https://rocks.example/${'x'.repeat(500)}` }, /^The field "link" of the body is not valid/],
    [{ text: 'x', link: null, by: 'somebody' }, /by/],
  ])('%j is refused with one clear sentence', async (body, sentence) => {
    const answer = await send('PUT', noteOn((await newest()).digest), body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(sentence) as string } });
  });

  test('is refused with one clear sentence if there is no such digest or movement', async () => {
    expect(await send('PUT', noteOn('0xabc'), words)).toMatchObject({
      status: 400,
      body: { message: 'This is not the digest of a transaction.' },
    });
    expect(await send('PUT', noteOn('1'.repeat(44)), words)).toMatchObject({
      status: 404,
      body: { message: 'The ledger has no such movement.' },
    });
  });
});

describe('the declared name of an address', () => {
  const named = async () => {
    const entry = (await ledger()).entries.find(({ counterparty }) => counterparty !== null);
    return { digest: entry?.digest ?? '', address: entry?.counterparty?.address ?? '' };
  };

  test('is shown as the other side of its movements, and logged', async () => {
    const { digest, address } = await named();
    const before = (await entryOf(digest))?.counterparty;
    const exchange = { name: 'The Great <Exchange>', role: 'exchange' };
    const upper = `0X${address.slice(2).toUpperCase()}`;
    const saved = dataOf(nameOfAddress, (await send('PUT', nameOf(upper), exchange)).body);
    expect(saved).toMatchObject({ address, declared: exchange });
    expect((await entryOf(digest))?.counterparty).toEqual({ address, ...exchange });
    expect((await send('GET', '/api/admin/treasury/names')).body).toEqual({ data: [saved] });
    const stale = await send('PUT', nameOf(address), { name: 'Mine', role: 'team' }, { ifMatch: 0 });
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale', current: saved } });
    await send('DELETE', nameOf(address));
    expect((await entryOf(digest))?.counterparty).toEqual(before);
    expect(await logOf('treasury-name-saved')).toEqual([
      { actor_name: 'ogg', subject_id: address, before: null, after: exchange },
    ]);
    expect(await logOf('treasury-name-deleted')).toEqual([
      { actor_name: 'ogg', subject_id: address, before: exchange, after: null },
    ]);
  });

  test('is refused with one clear sentence if the address is invalid, the name has no visible letter or the role is unknown', async () => {
    const { address } = await named();
    const refused = async (path: string, body: object) => {
      const answer = await send('PUT', path, body);
      return [answer.status, answer.body.message];
    };
    const sentence = 'A Sui address is 0x followed by 64 hexadecimal digits. This is not one.';
    expect(await refused(nameOf('0x12'), { name: 'x', role: 'team' })).toEqual([400, sentence]);
    expect(await refused(nameOf(address), { name: '\u200B', role: 'team' })).toEqual([
      400,
      'The name has no visible letter. Type a name.',
    ]);
    expect((await refused(nameOf(address), { name: 'x', role: 'thief' }))[0]).toBe(400);
    expect((await refused(nameOf(address), { name: 'x'.repeat(41), role: 'team' }))[0]).toBe(400);
  });
});

test('the admin area shows how far both histories have been read, and whether each coin adds up', async () => {
  const { asOf: before } = await ledger();
  const { ledger: movements, rocks, coins } = await status();
  const { asOf: after, coins: sums } = await ledger();
  expect(movements).toMatchObject({ percent: 100, isComplete: true });
  // The ledger may be read again in between.
  expect([before, after]).toContain(movements.until);
  expect(movements.text).toMatch(/^History: 100 %, up to \d{1,2} \w+ \d{4}$/);
  expect(rocks.text).toMatch(/^History: /);
  expect(coins).toEqual(sums);
});

test('a ledger that is read again from its beginning keeps every note', async () => {
  const scene = await startLedgerScene();
  await scene.read();
  const [entry] = await scene.entries({ kind: 'swap' });
  const digest = entry?.digest ?? '';
  await scene.asAdmin('PUT', '/api/admin/treasury/notes/{digest}', { params: { digest }, body: words });
  const tables = ['entries', 'changes', 'nfts', 'recipients', 'coins', 'readings'];
  for (const table of tables) await scene.database.rows(`delete from ledger_${table}`);
  expect(await scene.entries()).toEqual([]);
  await scene.read();
  expect((await scene.entries({ kind: 'swap' }))[0]).toMatchObject({ digest, note: words });
  await scene.end();
});
