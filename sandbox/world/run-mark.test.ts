import { afterEach, expect, test } from 'vitest';
import { plain } from '../control/plain.ts';
import { createLivingMarket } from '../living-market/living-market.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { botApiCaller } from '../telegram/bot-api-caller.ts';
import type { Update } from '../telegram/wire.ts';
import type { WorldControl } from './control.ts';
import { createWorld } from './control.ts';
import type { WorldState } from './state.ts';

const now = () => new Date('2026-11-21T00:00:00Z');
const worldOf = (runMark?: string): WorldControl => createWorld({}, now, runMark).control;
const owner = `0x${'0'.repeat(63)}a`;

/** Every id that a reader identifies things by. */
const idsOf = (state: WorldState) => ({
  transactions: state.transactions.map((each) => each.digest),
  reportedTransactions: state.actions.map((each) => each.txId),
  actions: state.actions.map((each) => each.id),
  listings: state.listings.map((each) => each.id),
  bids: state.bids.map((each) => each.id),
  nonces: [...state.listings, ...state.bids].map((each) => each.nonce),
  nfts: [...state.nfts.keys()],
  nftRows: [...state.nfts.values()].map((each) => each.rowId),
  kiosks: [...state.kiosks.values()].flatMap((each) => [each.id, each.capId, each.innerCapId]),
});

type Ids = ReturnType<typeof idsOf>;
const kinds = Object.keys(idsOf(createWorld({}, now).context.state)) as (keyof Ids)[];

/** Runs everything that creates ids: the console's commands and the living market. */
function goOn(world: WorldControl): void {
  const rock = world.mint({ address: owner });
  world.createKiosk({ holder: owner });
  world.list({ nftId: rock.id, priceMist: 5n });
  world.bid({ nftId: rock.id, bidder: owner, priceMist: 4n });
  world.reportAction({ collection: 'rocks', type: 'burn', nftId: rock.id });
  world.repeatAction({ marketName: 'bluemove' });
  world.addCollections({ count: 1 });
  const market = createLivingMarket(world, 7);
  for (let tick = 0; tick < 60; tick += 1) market.tick();
}

/** The ids created since the start; there are some of each kind. */
function newIds(world: WorldControl): Ids {
  const before = idsOf(world.state);
  goOn(world);
  const after = idsOf(world.state);
  for (const kind of kinds) {
    const known = new Set(before[kind]);
    after[kind] = after[kind].filter((id) => !known.has(id));
    expect(after[kind], kind).not.toEqual([]);
  }
  return after;
}

function expectNothingShared(one: Ids, other: Ids): void {
  for (const kind of kinds) {
    const known = new Set(one[kind]);
    expect(
      other[kind].filter((id) => known.has(id)),
      kind,
    ).toEqual([]);
  }
}

test('two runs with different marks have the same past and share no later ids', () => {
  const [one, other, unmarked] = [worldOf('one'), worldOf('other'), worldOf()];
  expect(idsOf(one.state)).toEqual(idsOf(unmarked.state));
  expect(idsOf(other.state)).toEqual(idsOf(unmarked.state));
  const [idsOfOne, idsOfOther, idsWithout] = [newIds(one), newIds(other), newIds(unmarked)];
  expectNothingShared(idsOfOne, idsOfOther);
  expectNothingShared(idsOfOne, idsWithout);
});

test.each([undefined, 'one'])('two runs with the same mark (%s) produce the same world', (mark) => {
  const [one, other] = [worldOf(mark), worldOf(mark)];
  goOn(one);
  goOn(other);
  expect(JSON.stringify(plain(one.state))).toBe(JSON.stringify(plain(other.state)));
});

test('in a world with a mark, ids after a reset are new as well', () => {
  const world = worldOf('one');
  const before = newIds(world);
  world.reset();
  expect(idsOf(world.state)).toEqual(idsOf(worldOf().state));
  expectNothingShared(before, newIds(world));
});

const running: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()));
});

test('a later run of the demo gives its updates higher ids than an earlier one: a bot would ignore lower ids', async () => {
  const updateIdsAt = async (time: string): Promise<number[]> => {
    const sandbox = await startSandbox({ now: () => new Date(time), runMark: time });
    running.push(sandbox);
    const { groupId, memberId } = sandbox.telegram.seeded;
    for (const text of ['/start', '/help']) sandbox.telegram.type({ chatId: groupId, userId: memberId, text });
    const { result } = await botApiCaller(sandbox)('getUpdates');
    return (result as Update[]).map(({ update_id: id }) => id);
  };
  const [first, second] = [await updateIdsAt('2026-11-21T00:00:00Z'), await updateIdsAt('2026-11-21T00:00:01Z')];
  expect([first.length, second.length]).toEqual([2, 2]);
  expect(Math.min(...second)).toBeGreaterThan(Math.max(...first));
});

test("a run's mark decides the course of its market; without a mark every run takes the same course", async () => {
  const course = async (runMark?: string): Promise<string[]> => {
    const sandbox = await startSandbox({ now, ...(runMark !== undefined && { runMark }) });
    running.push(sandbox);
    const happened = Array.from({ length: 40 }, () => sandbox.livingMarket.tick());
    return [...happened, sandbox.world.state.transactions.at(-1)?.digest ?? ''];
  };
  expect(await course('one')).toEqual(await course('one'));
  expect(await course()).toEqual(await course());
  const [one, other, unmarked] = [await course('one'), await course('other'), await course()];
  expect(one.slice(0, -1)).not.toEqual(other.slice(0, -1));
  expect(one.slice(0, -1)).not.toEqual(unmarked.slice(0, -1));
});
