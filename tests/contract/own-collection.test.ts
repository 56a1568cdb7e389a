import { describe, expect, test } from 'vitest';

import type { Collections } from '../../src/market/collections.ts';
import { collectionFactsAnswer } from '../../src/market/contract.ts';
import { collectionsScene } from '../support/collections-scene.ts';
import { until } from '../support/until.ts';

const { sandbox, open } = collectionsScene();

describe("the product's own collection", () => {
  const isLive = (copy: Collections) => () => copy.factsSnapshot().data.state === 'live';

  test('GET /api/collection gives minted, floor, listed and holders with their age, and never waits for the outside', async () => {
    const copy = open();
    const [route] = copy.routes;
    expect(route).toMatchObject({ method: 'GET', path: '/api/collection', access: 'public' });
    const answer = (): unknown => JSON.parse(route?.ready?.('')?.identity.toString() ?? '');
    expect(collectionFactsAnswer.parse(answer()).data).toMatchObject({
      state: 'unavailable',
      floorSui: null,
    });
    await copy.start();
    await until('the facts are live', isLive(copy));
    const rocks = sandbox().world.facts('rocks');
    const listed = sandbox().world.state.listings.filter((row) => row.collectionKey === 'rocks' && row.listed);
    expect(collectionFactsAnswer.parse(answer()).data).toMatchObject({
      mintedCount: rocks.supply,
      maxSupply: 555,
      floorSui: Number(rocks.floorMist) / 1e9,
      listedCount: listed.length,
      holderCount: rocks.ownerCount,
    });
    expect(copy.noscriptHtml()).toContain(`${rocks.supply} of 555 minted`);
  });

  test('is shown after a restart during an outage, with its age', async () => {
    const first = open();
    await first.start();
    await until('the facts are live', isLive(first));
    await sandbox().faults.set('market', { kind: 'refused' });
    const second = open({ now: () => new Date(Date.now() + 3_600_000) });
    await second.start();
    expect(second.factsSnapshot().data).toMatchObject({
      state: 'stale',
      mintedCount: first.factsSnapshot().data.mintedCount,
      asOf: first.factsSnapshot().data.asOf,
    });
  });

  test('turns stale by age alone and says so, and recovers by itself', async () => {
    const copy = open({ refreshMs: 100 });
    const seen: string[] = [];
    copy.onChange(() => {
      const { state } = copy.factsSnapshot().data;
      if (seen.at(-1) !== state) seen.push(state);
    });
    await copy.start();
    await until('the facts are live', isLive(copy));
    await sandbox().faults.set('market', { kind: '500' });
    await until('the facts are stale', () => copy.factsSnapshot().data.state === 'stale');
    await sandbox().faults.clear();
    await until('the facts are live again', isLive(copy));
    expect(seen).toEqual(['live', 'stale', 'live']);
  });

  test('says once in the log when the marketplace does not know it: its type may be mistyped', async () => {
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const collectionType = sandbox().facts.collectionType.replace('::Nft', '::Ntf');
    const mistyped = open({ collectionType, onWarning, refreshMs: 50 });
    await mistyped.start();
    sandbox().requests.reset();
    await until('it was asked for again', () => sandbox().requests.of('market').count >= 3);
    expect(warnings).toEqual(['The marketplace does not know COLLECTION_TYPE; is it right?']);
    await mistyped.stop();
    const known: string[] = [];
    const copy = open({ onWarning: (message) => void known.push(message) });
    await copy.start();
    await until('the facts are live', isLive(copy));
    expect(known).toEqual([]);
  });

  test('lets go of a marketplace that hangs when the product stops', async () => {
    await sandbox().faults.set('market', { kind: 'hang' });
    const copy = open();
    await copy.start();
    await until('the marketplace is asked', () => sandbox().requests.of('market').inFlight > 0);
    const startedMs = performance.now();
    await copy.stop();
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  test('is read by one copy for all', async () => {
    const copies = [open({ refreshMs: 200 }), open({ refreshMs: 200 }), open({ refreshMs: 200 })];
    await Promise.all(copies.map((copy) => copy.start()));
    await until('all copies are live', () => copies.every((copy) => isLive(copy)()));
    sandbox().requests.reset();
    const startedMs = Date.now();
    await until('five refreshes have passed', () => Date.now() - startedMs > 1_000);
    // Two calls a refresh (facts, listed count); three copies asking for themselves would make 30.
    expect(sandbox().requests.of('market').count).toBeLessThanOrEqual(14);
  });
});
