import { expect, test } from 'vitest';
import type { FaultKind } from '../../sandbox/faults/fault-board.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import { monthOf, monthStart } from '../../src/shared/utc-month.ts';
import type { LedgerDeps } from '../../src/treasury/ledger/ledger-parts.ts';
import { testDatabase } from '../support/database.ts';
import { startDaysScene } from '../support/days-scene.ts';
import { type LedgerScene, monthWithoutStatement, startLedgerScene } from '../support/ledger-scene.ts';
import { until } from '../support/until.ts';

/** Rulings R3 and R8: a node that has stopped or is on another chain, and a gap that no node has any more. */

const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const hourMs = 3_600_000;

type Node = LedgerDeps['sui'];

type Tip = { readonly checkpoint: bigint; readonly time: Date } | null;

/** A node that executed nothing after a checkpoint, but still answers. */
const stoppedAt = (node: Node, at: Tip): Node => ({
  readKeptCheckpoints: async (stop) => {
    const kept = await node.readKeptCheckpoints(stop);
    return at === null ? kept : { ...kept, newest: at.checkpoint, newestAt: at.time };
  },
  listTransactions: async (query, stop) => {
    const page = await node.listTransactions(query, stop);
    if (at === null || (page.coveredCheckpoint ?? 0n) <= at.checkpoint) return page;
    const transactions = page.transactions.filter(({ checkpoint }) => checkpoint <= at.checkpoint);
    const coveredCheckpoint = at.checkpoint < query.fromCheckpoint ? null : at.checkpoint;
    return { ...page, transactions, coveredCheckpoint, isAtTip: true };
  },
});

/** A node that stops and goes on as the test says. */
const stoppedWhile =
  (at: () => Tip) =>
  (node: Node): Node => ({
    readKeptCheckpoints: (stop) => stoppedAt(node, at()).readKeptCheckpoints(stop),
    listTransactions: (query, stop) => stoppedAt(node, at()).listTransactions(query, stop),
  });

const ofChain = (node: Node, chainId: string): Node => ({
  ...node,
  readKeptCheckpoints: async (stop) => ({ ...(await node.readKeptCheckpoints(stop)), chainId }),
});

const months = (scene: LedgerScene): readonly string[] =>
  scene.ledger.statements.answer().statements.map(({ month }) => month);

test('no statement is made while the node has stopped before the end of its month, however late it is', async () => {
  const endMs = monthStart(monthWithoutStatement()).getTime();
  const lastMonth = monthOf(new Date(endMs - 1));
  let at: Tip = null;
  const scene = await startLedgerScene({ node: stoppedWhile(() => at) });
  const last = scene.sandbox.world.state.transactions.findLast(({ timestampMs }) => timestampMs < endMs - 48 * hourMs);
  at = { checkpoint: BigInt(last?.checkpoint ?? 0), time: new Date(endMs - 48 * hourMs) };
  await scene.read();
  await scene.price();
  await scene.makeStatements();
  expect((await scene.page()).state).toBe('stale');
  expect(months(scene)[0]).toBe(monthOf(new Date(Date.parse(`${lastMonth}-01`) - 1)));
  at = null;
  await scene.read();
  await scene.price();
  await scene.makeStatements();
  expect((await scene.page()).state).toBe('live');
  expect(months(scene)[0]).toBe(lastMonth);
  await scene.end();
});

test('behind one address, a node that lags a little behind the one that gave the tip does not make the ledger unknown', async () => {
  let newest = 0n;
  const scene = await startLedgerScene({
    node: (node) => ({
      readKeptCheckpoints: async (stop) => {
        const kept = await node.readKeptCheckpoints(stop);
        newest = kept.newest;
        return kept;
      },
      listTransactions: (query, stop) =>
        stoppedAt(node, { checkpoint: newest - 2n, time: new Date() }).listTransactions(query, stop),
    }),
  });
  await scene.readOnce();
  await scene.ledger.start();
  expect((await scene.page()).complete).toBe(false);
  scene.sandbox.world.mint({ address: '0xc1' });
  scene.sandbox.world.mint({ address: '0xc2' });
  scene.sandbox.world.mint({ address: '0xc3' });
  await scene.readOnce();
  await scene.ledger.start();
  expect(await scene.page()).toMatchObject({ complete: true, state: 'live' });
  await scene.end();
});

test('on mainnet an answer from another chain is refused, and ledger and statements stay unchanged', async () => {
  const scene = await startLedgerScene();
  await scene.read();
  await scene.price();
  await scene.makeStatements();
  const [before, entries] = [months(scene), (await scene.entries()).length];
  const elsewhere = await startLedgerScene({ on: scene, node: (node) => ofChain(node, 'another') });
  await expect(elsewhere.readOnce()).rejects.toMatchObject({ name: 'Unavailable', reason: 'other-chain' });
  await elsewhere.ledger.start();
  expect(months(elsewhere)).toEqual(before);
  expect((await elsewhere.entries()).length).toBe(entries);
  await elsewhere.end();
  await scene.end();
});

test('an archive of another chain is not read', async () => {
  const scene = await startLedgerScene({ node: (node) => ofChain(node, 'another') });
  const { transactions } = scene.sandbox.world.state;
  scene.sandbox.world.prune({ checkpoint: transactions[Math.floor(transactions.length / 2)]?.checkpoint ?? 0 });
  await expect(scene.readOnce()).rejects.toMatchObject({ name: 'Unavailable', reason: 'other-chain' });
  expect(await scene.database.rows('select 1 from ledger_readings where covered_checkpoint is not null')).toEqual([]);
  await scene.end();
});

test('a movement that no node has any more stays unexplained, and the ledger is known from after it', async () => {
  const scene = await startLedgerScene({ hasArchive: false });
  await scene.read();
  const [{ at: newest } = { at: '' }] = await scene.entries();
  const { world } = scene.sandbox;
  world.pay({ to: '0xb1', coinType: suiType, amount: 7_000_000n });
  const missed = world.state.transactions.at(-1);
  world.mint({ address: '0xc1' });
  const next = world.state.transactions.at(-1);
  const kept = (missed?.checkpoint ?? 0) + 1;
  if (next !== undefined) next.checkpoint = kept;
  world.prune({ checkpoint: kept });
  await scene.read();
  await scene.read();
  const { coins, complete, knownUntil, knownSince } = await scene.page();
  expect([complete, knownUntil]).toEqual([false, newest]);
  expect(knownSince).toBe(new Date(next?.timestampMs ?? 0).toISOString());
  const sui = coins.find(({ coinType }) => coinType === suiType);
  const gone = missed?.balanceChanges.find(({ address }) => address === scene.sandbox.facts.treasuryAddress);
  expect(sui).toMatchObject({ openingRaw: '0', unexplainedRaw: String(gone?.amount) });
  await scene.end();
});

test('days and statements from before a gap stay; later ones are unknown, and every answer says from when on', async () => {
  let at: Tip = null;
  const scene = await startDaysScene({ hasArchive: false, node: stoppedWhile(() => at), priceNow: () => 1n });
  const { world } = scene.sandbox;
  const read = async (): Promise<void> => {
    for (const step of ['read', 'price', 'priceDays', 'makeStatements'] as const) await scene[step]();
  };
  const time = new Date(Date.now() - 240 * hourMs);
  const last = world.state.transactions.findLast(({ timestampMs }) => timestampMs < time.getTime());
  at = { checkpoint: BigInt(last?.checkpoint ?? 0), time };
  await read();
  const [{ points }, made, newest] = [await scene.history('all'), months(scene), (await scene.entries())[0]?.at];
  at = null;
  world.transfer({ nftId: world.mint({ address: '0xc1' }).id, address: '0xc2' });
  const others = world.state.transactions.at(-1);
  if (others !== undefined) others.checkpoint += 1;
  world.prune({ checkpoint: others?.checkpoint ?? 0 });
  await read();
  const after = await scene.history('all');
  expect(after.points).toEqual(points);
  expect(after.incompleteDays[0]).toBe(new Date(Date.parse(points.at(-1)?.at ?? '') + 1).toISOString().slice(0, 10));
  expect(after.incompleteDays.length).toBeGreaterThan(7);
  await scene.keepReading(new Date(), { total: 2n, token: 1n });
  expect((await scene.history('all')).points.at(-1)).toMatchObject({ estimated: false, heldInSui: null });
  const { complete, knownUntil, knownSince, asOf } = await scene.page();
  expect([complete, knownUntil, knownSince]).toEqual([false, newest, asOf]);
  expect((await scene.csv()).fileName).toBe('sui-rocks-ledger-incomplete.csv');
  const { statements, reason } = scene.ledger.statements.answer();
  expect(statements.map(({ month }) => month)).toEqual(made);
  expect(reason).toMatch(
    /^There will be no further statements: no node still has all movements after \d+ \w+ \d{4}, \d\d:\d\d UTC,/,
  );
  expect(await scene.statementFile(monthOf(new Date()))).toBe(reason);
  await scene.end();
});

test.each(['archive', 'sui'] as const)(
  'if the %s fails or cuts its answers short halfway through the history, the ledger is late but the same',
  async (service) => {
    const peaceful = await startLedgerScene();
    const { sandbox } = peaceful;
    const { transactions } = sandbox.world.state;
    sandbox.world.prune({ checkpoint: transactions[Math.floor(transactions.length / 2)]?.checkpoint ?? 0 });
    await peaceful.read();
    await peaceful.read();
    const database = await testDatabase();
    const scene = await startLedgerScene({ on: { sandbox, database } });
    // The first half comes from the archive.
    if (service === 'sui') await scene.readOnce();
    const kinds: readonly FaultKind[] = [
      'truncated',
      'reset',
      'accepted-reset',
      'wrong-types',
      'empty',
      '503',
      'refused',
    ];
    for (const kind of kinds) {
      await sandbox.faults.set(service, { kind });
      await expect(scene.readOnce(), kind).rejects.toThrow(Unavailable);
      await sandbox.faults.clear();
    }
    await sandbox.faults.set(service, { kind: 'hang', operation: 'ListTransactions', times: 1 });
    await scene.read();
    await scene.read();
    const [page, expected] = [await scene.page(), await peaceful.page()];
    expect(page.complete).toBe(true);
    expect({ ...page, asOf: null, checkpoint: null, proofCheckpoint: null }).toEqual({
      ...expected,
      asOf: null,
      checkpoint: null,
      proofCheckpoint: null,
    });
    expect(await scene.entries()).toEqual(await peaceful.entries());
    await scene.end();
    await database.drop();
    await peaceful.end();
  },
);

test('while the past is first read, the number of movements is never below what is listed, it says how far it got, and no file pretends to be all', async () => {
  const seen: { readonly total: number; readonly listed: number; readonly progressText: string | null }[] = [];
  const look = async (): Promise<void> => {
    const { total, entries, progressText } = await scene.page();
    seen.push({ total, listed: entries.length, progressText });
    expect(await scene.ask('/api/treasury/ledger.csv')).toMatchObject({ code: 'ledger-not-read-yet' });
  };
  const hasProgress = async (): Promise<boolean> =>
    /^History: \d+ %, up to /.test((await scene.page()).progressText ?? '');
  const scene: LedgerScene = await startLedgerScene({
    node: (node) => ({
      ...node,
      listTransactions: async (...asked) => {
        if (seen.length > 0) await until('the progress is said', hasProgress);
        await look();
        return node.listTransactions(...asked);
      },
    }),
  });
  await scene.read();
  expect(seen.length).toBeGreaterThan(3);
  expect(seen[0]).toEqual({ total: 0, listed: 0, progressText: 'History: nothing read yet' });
  for (const { total, listed } of seen) expect(total).toBeGreaterThanOrEqual(listed);
  expect(seen.at(-1)?.total).toBeGreaterThan(50);
  await scene.end();
});
