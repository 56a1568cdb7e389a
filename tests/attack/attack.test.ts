import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../support/database.ts';
import { attack, complaintsOf } from './attack.ts';
import { type AttackWorld, metricsToken, startAttackWorld } from './attack-world.ts';
import { makeEveryCall } from './every-call.ts';
import { quotedRequests } from './quoted-fields.ts';

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

/** `npm run bench attack` sends many more. */
const count = 2_000;

describe('rulings R2: every answer fits the description', () => {
  test('of each call when it succeeds', async () => {
    const { answered } = await makeEveryCall(world);
    expect(world.calls.map(({ method, path }) => `${method} ${path}`).filter((name) => !answered.has(name))).toEqual(
      [],
    );
  }, 60_000);

  test('of a quote in each field of each call: it stays a text, in the database too', async () => {
    const known = world.knownValues();
    const requests = world.calls.flatMap((call) => quotedRequests(call, known));
    expect(requests.length).toBeGreaterThan(world.calls.length);
    expect(await complaintsOf(world, requests)).toEqual([]);
  }, 60_000);

  test('of requests nobody has thought of: none fails on our side, and none tells a secret', async () => {
    const { sent, complaints, byStatus } = await attack(world, { count, seed: 1, atOnce: 16 });
    expect(complaints).toEqual([]);
    expect(sent).toBe(count);
    // Not refused at the door: a good part of them reached what is behind it.
    expect(byStatus[200]).toBeGreaterThan(count / 20);
  }, 60_000);

  test('and neither the log nor the figures of the product know a secret of it, whatever fails', async () => {
    // Of what goes on behind the calls, nothing stood in its own way.
    expect(world.product.process.output()).not.toContain('deadlock detected');
    // The token stands in each address of Telegram's, and an error likes to name the address.
    for (const kind of ['refused', 'malformed', '500']) await failAll(kind);
    const answer = await fetch(`${world.product.url}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    expect(answer.status).toBe(200);
    const said = world.product.process.output() + (await answer.text());
    expect(said).toMatch(/The Telegram bot does not run/);
    expect(world.secrets.filter((secret) => said.includes(secret))).toEqual([]);
  }, 60_000);
});

/** Everybody outside is away in this way until both bots have noticed. */
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
