import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../support/database.ts';
import { attack, complaintsOf } from './attack.ts';
import { type AttackWorld, metricsToken, startAttackWorld } from './attack-world.ts';
import { makeEveryCall } from './every-call.ts';
import { goodRequest, quotedRequests } from './quoted-fields.ts';

let database: TestDatabase;
let world: AttackWorld;
beforeAll(async () => {
  database = await testDatabase();
  world = await startAttackWorld(database);
});
afterAll(async () => {
  await world.stop();
  await database.drop();
});

/** `npm run attack` sends many more. */
const count = 2_000;

describe('rulings R2: every answer fits the API description', () => {
  test('every call can succeed, and its answer fits', async () => {
    const { answered } = await makeEveryCall(world);
    expect(world.calls.map(({ method, path }) => `${method} ${path}`).filter((name) => !answered.has(name))).toEqual(
      [],
    );
  }, 300_000);

  test('no GET changes anything', async () => {
    const reading = world.calls.filter(({ method }) => method === 'GET');
    const requests = reading.map((call) => goodRequest(call, world.knownValues()));
    // The first round may sign in, which is a change.
    expect(await complaintsOf(world, requests)).toEqual([]);
    const changes = () => database.rows<{ id: string }>("select id from audit_entries where actor_kind <> 'system'");
    const before = await changes();
    expect(await complaintsOf(world, requests)).toEqual([]);
    expect(before.length).toBeGreaterThan(10);
    expect(await changes()).toEqual(before);
  });

  test('a quote in any field of any call stays a text, in the database too', async () => {
    const known = world.knownValues();
    const requests = world.calls.flatMap((call) => quotedRequests(call, known));
    expect(requests.length).toBeGreaterThan(world.calls.length);
    expect(await complaintsOf(world, requests)).toEqual([]);
  }, 60_000);

  test('generated requests cause no server error and reveal no secret', async () => {
    const { sent, complaints, byStatus } = await attack(world, { count, seed: 1, atOnce: 16 });
    expect(complaints).toEqual([]);
    expect(sent).toBe(count);
    // A good part of them gets past validation.
    expect(byStatus[200]).toBeGreaterThan(count / 20);
  }, 180_000);

  test('neither the log nor the metrics of the product contain a secret, whatever fails', async () => {
    // The background jobs must not have blocked each other.
    expect(world.product.process.output()).not.toContain('deadlock detected');
    // Telegram's addresses contain the token, and errors often quote the address.
    for (const kind of ['refused', 'malformed', '500']) await failAll(kind);
    const answer = await fetch(`${world.product.url}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    expect(answer.status).toBe(200);
    const said = world.product.process.output() + (await answer.text());
    expect(said).toMatch(/The Telegram bot does not run/);
    expect(secretsIn(said)).toEqual([]);
  }, 60_000);

  test('the database does not contain them in clear', async () => {
    const stored = await everyRow();
    expect(stored).toContain('discord_verifications');
    expect(stored).toContain('"username":"chief"');
    expect(secretsIn(stored)).toEqual([]);
  });
});

/** The secrets of the installation and its users that a text contains, cut short: a failure must not print them whole. */
const secretsIn = (text: string): string[] => {
  const handedOut = world.handedOut();
  expect(handedOut.length).toBeGreaterThan(5);
  return [...world.secrets, ...handedOut]
    .filter((secret) => inClear(secret).some((form) => text.includes(form)))
    .map((secret) => secret.slice(0, 6));
};

/** As text, and as bytes the way the database prints them: the text's own bytes, and the decoded ones. */
const inClear = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret, 'base64url').toString('hex'),
];

/** The whole database as text, a line for each row with the name of its table. */
async function everyRow(): Promise<string> {
  const tables = await database.rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const lines = tables.map(({ name }) =>
    database.rows<{ line: string }>(`select '${name} ' || row_to_json(t)::text as line from "${name}" t`),
  );
  return (await Promise.all(lines))
    .flat()
    .map(({ line }) => line)
    .join('\n');
}

/** All outside services fail in this way until both bots have noticed. */
async function failAll(kind: string): Promise<void> {
  const { product } = world;
  const switched = async (verb: 'init' | 'shutdown'): Promise<void> => {
    for (const bot of ['telegram', 'discord']) {
      await world.ask({ method: 'POST', target: `/api/${bot}/${verb}`, headers: [], body: null }, 'admin');
    }
  };
  await switched('shutdown');
  for (const service of ['telegram', 'discord', 'market', 'sui', 'prices', 'pricesFallback']) {
    await product.control('/control/faults', { service, kind });
  }
  await switched('init');
  await product.control('/control/faults/clear', {});
}
