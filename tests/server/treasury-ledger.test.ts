import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveCoins } from '../../sandbox/world/moving-coins.ts';
import { Unavailable } from '../../src/shared/failure.ts';
import type { LedgerAnswer } from '../../src/treasury/ledger-contract.ts';
import { type LedgerScene, startLedgerScene } from '../support/ledger-scene.ts';

const suiType = `0x${'2'.padStart(64, '0')}::sui::SUI`;
const usdcType = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';
type Entry = LedgerAnswer['entries'][number];

/** The treasury's balance changes in the sandbox's own transactions. */
function balanceChangesOf({ sandbox }: LedgerScene) {
  const { transactions, treasuryAddress } = sandbox.world.state;
  return transactions.flatMap(({ digest, balanceChanges }) =>
    balanceChanges.flatMap(({ address, coinType, amount }) =>
      address === treasuryAddress && amount !== 0n ? [{ digest, coinType, raw: String(amount) }] : [],
    ),
  );
}

const changesOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ digest, changes }) => changes.map(({ coinType, raw }) => ({ digest, coinType, raw })));

const sorted = <T extends { readonly digest: string; readonly coinType: string }>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((one, other) => (one.digest + one.coinType < other.digest + other.coinType ? -1 : 1));

describe('rulings R8: the ledger of a treasury with fourteen months of history', () => {
  let scene: LedgerScene;
  let entries: readonly Entry[];
  beforeAll(async () => {
    scene = await startLedgerScene();
    await scene.read();
    entries = await scene.entries();
  });
  afterAll(() => scene.end());

  test('has every balance change there ever was, each once', async () => {
    const apart = await scene.entries({ apart: 'true' });
    expect(sorted(changesOf([...entries, ...apart]))).toEqual(sorted(balanceChangesOf(scene)));
  });

  test('closes to the last unit: per coin opening + in - out = closing = on chain now', async () => {
    const { coins, complete, proofCheckpoint, state } = await scene.page();
    expect({ complete, state }).toEqual({ complete: true, state: 'live' });
    expect(proofCheckpoint).not.toBeNull();
    expect(coins.length).toBeGreaterThan(2);
    for (const { openingRaw, inRaw, outRaw, closingRaw, chainRaw, unexplainedRaw } of coins) {
      expect(BigInt(openingRaw) + BigInt(inRaw) - BigInt(outRaw)).toBe(BigInt(closingRaw));
      expect({ openingRaw, unexplainedRaw, chainRaw }).toEqual({
        openingRaw: '0',
        unexplainedRaw: '0',
        chainRaw: closingRaw,
      });
    }
  });

  test('is newest first, in pages that repeat and leave out nothing', () => {
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(new Set(entries.map(({ digest }) => digest)).size).toBe(entries.length);
  });

  test('tells mints, sweeps, sales, swaps, payouts and transfers apart', () => {
    const kinds = new Set(entries.map(({ kind }) => kind));
    for (const kind of ['mint-income', 'nft-purchase', 'swap', 'payout', 'transfer-in', 'transfer-out'] as const) {
      expect(kinds, kind).toContain(kind);
    }
  });

  test('a filter by kind and coin gives those and no others', async () => {
    const swaps = await scene.entries({ kind: 'swap' });
    expect(swaps).toEqual(entries.filter(({ kind }) => kind === 'swap'));
    const [other] = swaps.flatMap(({ changes }) => changes).filter(({ coinType }) => coinType !== suiType);
    const ofCoin = await scene.entries({ coin: other?.coinType });
    expect(ofCoin).toEqual(
      entries.filter(({ changes }) => changes.some(({ coinType }) => coinType === other?.coinType)),
    );
  });

  test('the CSV adds up to the page', async () => {
    const lines = (await scene.csv()).text.trim().split('\r\n').slice(1);
    const cells = lines.map((line) => line.split(','));
    const { coins } = await scene.page();
    for (const { coinType, closingRaw } of coins) {
      const sum = cells
        .filter((line) => line[6] === coinType)
        .reduce((total, line) => total + BigInt(line[8] ?? 0), 0n);
      expect(String(sum), coinType).toBe(closingRaw);
    }
  });

  test('each movement has its value at the prices of its time, from at most six hours away', async () => {
    await scene.price();
    const priced = await scene.entries({ kind: 'payout' });
    expect(priced.length).toBeGreaterThan(0);
    for (const { usdAtTime } of priced) expect(usdAtTime).toBeGreaterThan(0);
    const rows = await scene.database.rows<{ apart: string }>(
      'select 1 from ledger_changes where price_at is not null and abs(extract(epoch from price_at - happened_at)) > 6 * 3600',
    );
    expect(rows).toEqual([]);
  });

  test('reading again, with nothing new, changes nothing', async () => {
    await scene.read();
    expect(await scene.entries()).toEqual(await scene.entries());
    expect((await scene.entries()).map(({ digest }) => digest)).toEqual(entries.map(({ digest }) => digest));
  });
});

describe('new transactions', () => {
  let scene: LedgerScene;
  beforeAll(async () => {
    scene = await startLedgerScene();
    await scene.read();
  });
  afterAll(() => scene.end());
  const newest = async (): Promise<Entry | undefined> => {
    await scene.read();
    return (await scene.page()).entries[0];
  };

  test('a payout is one coin sent to several addresses, the same amount to each', async () => {
    const recipients = ['0xa1', '0xa2', '0xa3'];
    scene.sandbox.world.payout({ recipients, coinType: suiType, amountEach: 5_000_000n });
    expect(await newest()).toMatchObject({ kind: 'payout', counterparty: null });
  });

  test('a payment to one address is a transfer, with that address on the other side', async () => {
    scene.sandbox.world.pay({ to: '0xb1', coinType: suiType, amount: 7_000_000n });
    const entry = await newest();
    expect(entry).toMatchObject({ kind: 'transfer-out', counterparty: { address: `0x${'b1'.padStart(64, '0')}` } });
    expect(BigInt(entry?.changes[0]?.raw ?? 0) + BigInt(entry?.gasMist ?? 0)).toBe(-7_000_000n);
  });

  test('a swap that also pays someone is still a swap; the payment is kept, even in the coin that came in', async () => {
    const { world } = scene.sandbox;
    const [from, to] = [world.state.treasuryAddress, `0x${'b2'.padStart(64, '0')}`];
    const swap = { fromCoin: usdcType, amountIn: 1_000n, toCoin: suiType, amountOut: 9_000_000_000n };
    moveCoins(world.state, world.swap(swap), { from, to, coinType: suiType, amount: 5_000_007n });
    expect(await newest()).toMatchObject({ kind: 'swap', counterparty: null, payout: null });
    const sent = await scene.ledger.sentSince(0n, [suiType]);
    expect(sent.at(-1)).toMatchObject({ isTransfer: false, to: [{ address: to, raw: 5_000_007n }] });
    expect(sent.filter(({ isTransfer }) => isTransfer).length).toBeGreaterThan(0);
  });

  test('staking', async () => {
    scene.sandbox.world.stake({ amount: 1_000_000_000n });
    expect(await newest()).toMatchObject({ kind: 'staking' });
  });

  test('a mint of the product’s own collection is income', async () => {
    scene.sandbox.world.mint({ address: '0xc1' });
    expect(await newest()).toMatchObject({
      kind: 'mint-income',
      counterparty: { address: `0x${'c1'.padStart(64, '0')}` },
    });
  });

  test('what anyone can send is listed separately and never counted, however much it is', async () => {
    const before = await scene.page();
    scene.sandbox.world.spam({ what: 'coins', count: 300 });
    scene.sandbox.world.spam({ what: 'nfts', count: 300 });
    await scene.read();
    const after = await scene.page();
    expect(after.total).toBe(before.total);
    expect(after.apart).toBeGreaterThan(before.apart);
    expect(after.coins.map(({ coinType }) => coinType)).toEqual(before.coins.map(({ coinType }) => coinType));
    const [entry] = (await scene.page({ apart: 'true' })).entries;
    expect(entry?.nfts.length ?? 0).toBeLessThanOrEqual(20);
  });

  test('at most 20 of the NFTs that a stranger sends are listed, even beside a known coin', async () => {
    const [transaction] = scene.sandbox.world.spam({ what: 'nfts', count: 300 });
    const address = scene.sandbox.facts.treasuryAddress;
    transaction?.balanceChanges.push({ address, coinType: suiType, amount: 1n });
    const entry = await newest();
    expect(entry).toMatchObject({ digest: transaction?.digest, kind: 'transfer-in', nftCount: 300 });
    expect(entry?.nfts).toHaveLength(20);
  });
});

describe('trouble during the first read', () => {
  const digestsOf = (entries: readonly Entry[]): readonly string[] => entries.map(({ digest }) => digest);

  test('if the full node has pruned the beginning, the archive is read instead: the ledger is the same', async () => {
    const whole = await startLedgerScene();
    await whole.read();
    const expected = await whole.entries();
    await whole.end();
    const scene = await startLedgerScene();
    const { transactions } = scene.sandbox.world.state;
    const middle = transactions[Math.floor(transactions.length / 2)];
    scene.sandbox.world.prune({ checkpoint: middle?.checkpoint ?? 0 });
    await scene.read();
    // The first read ends where the archive ends; the node goes on from there.
    await scene.read();
    expect(digestsOf(await scene.entries())).toEqual(digestsOf(expected));
    expect(await scene.page()).toMatchObject({ complete: true, knownSince: null });
    await scene.end();
  });

  test('with a node that fails again and again, nothing is lost and nothing repeated', async () => {
    let calls = 0;
    let isUnwell = true;
    const scene = await startLedgerScene({
      node: (node) => ({
        ...node,
        listTransactions: async (query, stop) => {
          calls += 1;
          if (isUnwell && calls % 2 === 0) throw new Unavailable('network', 'The node is away');
          return node.listTransactions(query, stop);
        },
      }),
    });
    for (let run = 0; run < 60 && (await scene.page()).progressText !== null; run += 1) {
      await scene.readOnce().catch(() => {});
    }
    isUnwell = false;
    await scene.read();
    const all = [...(await scene.entries()), ...(await scene.entries({ apart: 'true' }))];
    expect(sorted(changesOf(all))).toEqual(sorted(balanceChangesOf(scene)));
    await scene.end();
  });
});

test('if neither node nor archive has the beginning, the ledger says since when it is known, and opens with the balances of that time', async () => {
  const scene = await startLedgerScene({ hasArchive: false });
  const { transactions } = scene.sandbox.world.state;
  const middle = transactions[Math.floor(transactions.length / 2)];
  scene.sandbox.world.prune({ checkpoint: middle?.checkpoint ?? 0 });
  await scene.read();
  await scene.read();
  const { complete, knownSince, coins } = await scene.page();
  expect([complete, Date.parse(knownSince ?? '') >= (middle?.timestampMs ?? Infinity)]).toEqual([false, true]);
  expect(coins.some(({ openingRaw }) => openingRaw !== '0')).toBe(true);
  for (const { unexplainedRaw } of coins) expect(unexplainedRaw).toBe('0');
  await scene.end();
});

test('a checkpoint with more transactions than the pages of one run is read to its end', async () => {
  const scene = await startLedgerScene();
  const { world, facts } = scene.sandbox;
  const [count, checkpoint] = [2_100, world.state.transactions.at(-1)?.checkpoint ?? 0];
  for (let at = 0; at < count; at += 1) world.pay({ to: facts.treasuryAddress, coinType: suiType, amount: 1n });
  for (const transaction of world.state.transactions.slice(-count)) transaction.checkpoint = checkpoint + 1;
  await scene.read();
  expect((await scene.page()).complete).toBe(true);
  expect((await scene.entries()).filter((entry) => entry.checkpoint === String(checkpoint + 1))).toHaveLength(count);
  await scene.end();
});
