import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import { collectionFactsAnswer } from '../../src/market/contract.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openRocks } from '../support/open-rocks.ts';
import { until } from '../support/until.ts';
import { dataOf } from '../support/route-request.ts';

let sandbox: Sandbox;
let database: TestDatabase;
const running: ReturnType<typeof openRocks>[] = [];
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await sandbox.faults.clear();
  await Promise.all(running.splice(0).map((copy) => copy.stop()));
  await database.drop();
});

function open(options?: Parameters<typeof openRocks>[2]) {
  const copy = openRocks(sandbox, database, options);
  running.push(copy);
  return copy;
}

const mistypedType = (): string => sandbox.facts.collectionType.replace('::Nft', '::Ntf');

test('GET /api/collection gives minted, floor, listed and holders with their age, and never waits for the outside', async () => {
  const warnings: string[] = [];
  const copy = open({ onWarning: (message) => warnings.push(message) });
  const [route] = copy.routes;
  expect(route).toMatchObject({ method: 'GET', path: '/api/collection', access: 'public' });
  const answer = () => dataOf(collectionFactsAnswer, JSON.parse(route?.ready?.('')?.identity.toString() ?? ''));
  expect(answer()).toMatchObject({ state: 'unavailable', floorSui: null });
  expect(await copy.sourceReading()).toEqual({ source: 'marketplace', readAt: null });
  await copy.start();
  const rocks = sandbox.world.facts('rocks');
  const listed = sandbox.world.state.listings.filter((row) => row.collectionKey === 'rocks' && row.listed);
  expect(answer()).toMatchObject({
    state: 'live',
    mintedCount: rocks.supply,
    maxSupply: 555,
    floorSui: Number(rocks.floorMist) / 1e9,
    listedCount: listed.length,
    holderCount: rocks.ownerCount,
  });
  await until('the marketplace was polled', async () => (await copy.sourceReading()).readAt !== null);
  expect(warnings).toEqual([]);
});

test("while the database fails, the last known time of the marketplace's answer stays", async () => {
  const warnings: string[] = [];
  const copy = open({ onWarning: (message) => warnings.push(message) });
  await copy.start();
  await until('the marketplace was polled', async () => (await copy.sourceReading()).readAt !== null);
  await database.rows('alter table collection_watches rename to collection_watches_away');
  expect(await copy.sourceReading()).toEqual({ source: 'marketplace', readAt: expect.any(Date) });
  expect(warnings).toContain("The time of the marketplace's last answer could not be read; trying again");
  await database.rows('alter table collection_watches_away rename to collection_watches');
});

test('the collection is shown after a restart during an outage, with its age, and becomes stale by age alone', async () => {
  const first = open();
  await first.start();
  const readAt = async () => (await first.sourceReading()).readAt?.getTime() ?? 0;
  await until('the marketplace was polled', async () => (await readAt()) > 0);
  await sandbox.faults.set('market', { kind: 'refused' });
  await until('the time of its last answer no longer moves', async () => (await readAt()) < Date.now() - 1_000);
  const data = first.catalog.collection();
  const clock = createManualClock(new Date(data.asOf ?? ''));
  const second = open({ clock });
  await second.load();
  let changes = 0;
  second.catalog.onChange(() => (changes += 1));
  expect(second.catalog.collection()).toMatchObject({ ...data, name: expect.anything() });
  clock.advance(20 * 60_000 - 1);
  expect([second.catalog.collection().state, changes]).toEqual(['live', 0]);
  clock.advance(1);
  expect([second.catalog.collection().state, changes]).toEqual(['stale', 1]);
  expect(second.catalog.firstPage().state).toBe('stale');
});

test('the log warns if the marketplace does not know the collection: its type may be mistyped', async () => {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const mistyped = open({ collectionType: mistypedType(), onWarning });
  await mistyped.runJobs();
  const warning = 'The marketplace does not know COLLECTION_TYPE; is it right?';
  await until('the log has the warning', () => warnings.includes(warning));
});

test('for the alarm, a marketplace that answers but does not know the collection is no outage', async () => {
  const mistyped = open({ collectionType: mistypedType() });
  await mistyped.runJobs();
  const readAt = async () => (await mistyped.sourceReading()).readAt?.getTime() ?? 0;
  await until('it has answered', async () => (await readAt()) > Date.now() - 1_000);
  expect(await database.rows('select 1 from collection_watches')).toEqual([]);
});

test('a marketplace that does not know the collection and goes silent counts as silent since its last answer', async () => {
  const mistyped = open({ collectionType: mistypedType() });
  await mistyped.runJobs();
  await until('it has answered', async () => (await mistyped.sourceReading()).readAt !== null);
  const later = createManualClock(new Date(Date.now() + 20 * 60_000));
  const copy = open({ collectionType: mistypedType(), clock: later });
  const { readAt } = await copy.sourceReading();
  expect(readAt?.getTime()).toBeLessThan(Date.now());
});

test('a corrected collection type is read with the next start', async () => {
  const mistyped = open({ collectionType: mistypedType() });
  await mistyped.runJobs();
  const waiting = `select 1 from pgboss.job where name in ('rocks-begin', 'rocks-refresh') and start_after > now() + interval '5 minutes'`;
  await until('both jobs wait', async () => (await database.rows(waiting)).length === 2);
  await mistyped.stop();
  const corrected = open();
  await corrected.start();
  await until('it is polled', async () => (await database.rows('select 1 from collection_watches')).length === 1);
});
