import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { AdminPayout, PreviewAnswer } from '../../src/payouts/payout-admin-contract.ts';
import { draftTerms } from '../../src/payouts/core/draft-terms.ts';
import type { PayoutsAnswer } from '../../src/payouts/payouts-contract.ts';
import { examinePlan } from '../../src/payouts/core/check/check-plan.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import type { SuiClient } from '../../src/sources/sui/sui-client.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { someHolders } from '../support/treasurer-calls.ts';

const path = '/api/admin/payouts/{id}';

let scene: PayingScene;
let readings = 0;
/** How many checkpoints the node lags that answers the reading of this number. */
let lagOf: (reading: number) => bigint = () => 0n;
const behindMs = 3_600_000;
const chain = (sui: SuiClient): SuiClient => ({
  ...sui,
  watchTips: async (work) => {
    const value = await work();
    const checkpoint = (await sui.readKeptCheckpoints()).newest - lagOf(readings);
    return { value, tips: [{ checkpoint, at: null }] };
  },
});
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { now: () => new Date(Date.now() - behindMs) }, chain });
}, 120_000);
afterAll(() => scene.end());
beforeEach(() => {
  readings = 0;
  lagOf = () => 0n;
});

const holders = someHolders(3);
const others = someHolders(3, 0x2000);

/** The rocks move from `holders` to `others` at the reading of this number. */
const changeAt = (reading: number): void => {
  scene.copy.giveRocksTo(holders);
  scene.copy.beforeReading(() => {
    readings += 1;
    scene.copy.giveRocksTo(readings < reading ? holders : others);
    return true;
  });
};

const snapshot = async (): Promise<AdminPayout> => scene.snapshot(await scene.draft({ holders }));

const ownersOf = async ({ id }: AdminPayout): Promise<readonly string[]> => {
  const [row] = (await scene.database.pool.query<{ plan: string }>('select plan from payouts where id = $1', [id]))
    .rows;
  return (JSON.parse(row?.plan ?? '{}') as { lines: readonly { address: string }[] }).lines.map(
    ({ address }) => address,
  );
};

describe('rulings R9: a snapshot is the owners at one checkpoint, read twice', () => {
  test('two readings are enough if nothing changes between them, and the plan names the checkpoint', async () => {
    changeAt(99);
    const draft = await snapshot();
    expect(readings).toBe(2);
    expect(BigInt(draft.plan?.checkpoint ?? 0)).toBeGreaterThan(0n);
    expect(await ownersOf(draft)).toEqual(holders);
  });

  test('the plan names the time of the checkpoint, also if the node stopped an hour ago', async () => {
    changeAt(99);
    const at = Date.parse((await snapshot()).plan?.at ?? '');
    expect(Math.abs(Date.now() - behindMs - at)).toBeLessThan(60_000);
  });

  test('a node that lags behind others does not make a seller an owner: the buyer is paid', async () => {
    changeAt(3);
    lagOf = (reading) => (reading < 3 ? 1_000n : 0n);
    const draft = await snapshot();
    expect(readings).toBe(4);
    expect(await ownersOf(draft)).toEqual(others);
  });

  test('what was read at a later time than the checkpoint is read again', async () => {
    changeAt(99);
    lagOf = (reading) => (reading === 1 ? -1_000n : 0n);
    expect(await ownersOf(await snapshot())).toEqual(holders);
    expect(readings).toBe(3);
  });

  test('while all answers are from before the checkpoint there is no plan, and the draft says why', async () => {
    changeAt(99);
    lagOf = () => 1_000n;
    const { plan, snapshot: taken } = await snapshot();
    expect([readings, plan]).toEqual([6, null]);
    expect(taken.problem).toMatch(/^Some nodes at the address of the Sui full node lag behind others/);
  });

  test('a rock that changes hands in between has the owners read again, and its new owner is paid', async () => {
    changeAt(2);
    const draft = await snapshot();
    expect(readings).toBe(3);
    expect(await ownersOf(draft)).toEqual(others);
  });

  test('when rocks change hands each time, the draft says so after five comparisons, and there is no plan', async () => {
    scene.copy.beforeReading(() => {
      readings += 1;
      scene.copy.giveRocksTo(readings % 2 === 0 ? holders : others);
      return true;
    });
    const { plan, snapshot: taken } = await snapshot();
    expect(readings).toBe(6);
    expect(plan).toBeNull();
    expect(taken.problem).toBe(
      'Rocks changed hands during each of 5 readings. Read the owners again at a quieter moment.',
    );
  });

  test('a snapshot whose job could not be sent is not requested: no draft reads its owners for ever', async () => {
    changeAt(99);
    const id = await scene.draft({ holders });
    scene.copy.beforeSending(() => {
      throw new Error('The database is gone');
    });
    await expect(scene.snapshot(id)).rejects.toThrow('The database is gone');
    scene.copy.beforeSending(() => {});
    expect((await scene.all()).find((draft) => draft.id === id)?.snapshot.askedAt).toBeNull();
    expect((await scene.snapshot(id)).plan).not.toBeNull();
  });

  test('a finished snapshot is no new version: saving what was seen before is not refused because of it', async () => {
    changeAt(99);
    const params = { id: String(await scene.draft({ holders })) };
    // The scene runs the job after the call is answered.
    const asked = (await scene.call('POST', `${path}/snapshot`, { params })) as { data: AdminPayout };
    const { terms, version } = asked.data;
    const read = (await scene.all()).find(({ id }) => String(id) === params.id);
    expect(read?.plan).not.toBeNull();
    expect(read?.updated).toEqual(asked.data.updated);
    const body = { ...terms, title: 'November' };
    expect(await scene.call('PUT', path, { params, body, ifMatch: String(version) })).toMatchObject({
      data: { terms: { title: 'November' }, plan: null },
    });
  });

  test('a rock without a known owner stops the plan, unless it is left out by its number and has none at the snapshot either', async () => {
    const id = await scene.draft({ holders });
    scene.copy.beforeReading(() => true);
    scene.copy.giveRocksTo([...holders, null]);
    const { terms, plan, snapshot: stopped } = await scene.snapshot(id);
    expect([plan, stopped.problem]).toEqual([null, expect.stringMatching(/^The owner of rock 4 is not known/)]);
    const { data } = (await scene.call('POST', '/api/admin/payouts/preview', { body: terms })) as {
      data: PreviewAnswer;
    };
    expect(data).toMatchObject({ outcome: null, about: null, unowned: [4] });
    const leftOut = [{ address: null, rocks: [4], reason: 'Frozen <for ever>' }];
    await scene.call('PUT', path, { params: { id: String(id) }, body: { ...terms, leftOut } });
    scene.copy.giveRocksTo([...holders, holders[0] ?? '']);
    expect((await scene.snapshot(id)).snapshot.problem).toBe('Rock 4 has an owner. Leave out the address instead.');
    scene.copy.giveRocksTo([...holders, null]);
    const { plan: made } = await scene.snapshot(id);
    expect(made?.outcome).toMatchObject({ leftOut, rocks: 3, holders: 3 });
    const [row] = await scene.database.rows<{ plan: string }>('select plan from payouts where id = $1', [String(id)]);
    const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex');
    const examined = await examinePlan({ file: row?.plan ?? '', publishedSha256: made?.sha256 ?? '', sha256 });
    expect(examined).toMatchObject({ problems: [] });
  });

  test.each([
    [{ address: null, reason: 'x' }],
    [{ address: `0x${'9'.repeat(64)}`, rocks: [1], reason: 'x' }],
    [{ address: null, rocks: [0], reason: 'x' }],
    [{ address: null, rocks: [1], reason: '' }],
  ])('a draft must leave out either an address or rocks, and give a reason: %o is refused', (row) => {
    const terms = { title: 'x', reason: 'x', coinType: suiCoinType, amount: { mode: 'total', raw: '1' } };
    expect(draftTerms.safeParse({ ...terms, leftOut: [row] }).success).toBe(false);
  });

  test('there is no plan while the marketplace does not list every rock', async () => {
    scene.copy.giveRocksTo(holders);
    scene.copy.beforeReading(() => false);
    const { plan, snapshot: taken } = await snapshot();
    expect(plan).toBeNull();
    expect(taken.problem).toBe(
      'The marketplace does not list every rock right now. Read the owners again in a few minutes.',
    );
  });
});

test('the last payout is the one that was published last, whichever was drafted first', async () => {
  scene.copy.beforeReading(() => true);
  const before = await scene.publish({ holders: others });
  const slow = await scene.draft({ holders });
  const quick = await scene.publish({ holders: [...holders.slice(1), ...others] });
  const compared = async (id: number) => {
    const { newHolders, goneHolders } = (await scene.all()).find((each) => each.id === id)?.plan?.outcome ?? {};
    return [newHolders, goneHolders];
  };
  scene.copy.giveRocksTo(holders);
  await scene.snapshot(slow);
  expect(await compared(slow)).toEqual([1, 3]);
  await scene.publishDraft(slow, holders);
  expect(await compared(slow)).toEqual([1, 3]);
  expect(await compared(quick)).toEqual([2, 0]);
  expect(await compared(before)).toEqual([null, null]);
  const { payouts } = ((await scene.call('GET', '/api/payouts')) as { data: PayoutsAnswer }).data;
  expect(payouts.map(({ id }) => id)).toEqual([slow, quick, before]);
});
