import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute } from '../world/ledger.ts';
import { nftsInKiosk } from '../world/ownership.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import {
  affectedAddress,
  affectedObject,
  anyOf,
  digestsOf,
  framesOf,
  ITEM_LIMIT,
  LEDGER_TIP,
  nodeOf,
} from './reading-history.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.world.reset());

const sui = '0x2::sui::SUI';
const friend = `0x${'f'.repeat(64)}`;
const treasury = () => sandbox.facts.treasuryAddress;
const kioskRock = () => {
  const { state } = sandbox.world;
  const kiosk = [...state.kiosks.values()].find(
    ({ id, holder, listings }) => holder === treasury() && listings.size === 0 && nftsInKiosk(state, id).length > 0,
  )!;
  return { kiosk, nft: nftsInKiosk(state, kiosk.id)[0]! };
};

describe('the history of an address and of an object', () => {
  test('the kiosk finds a sale to another address, the address finds a payment, and one list has both, once each, in order', async () => {
    const { kiosk, nft } = kioskRock();
    const before = sandbox.world.state.transactions.length;
    const ofKiosk = digestsOf(await framesOf(sandbox, { filter: anyOf(affectedObject(kiosk.id)) }));
    sandbox.world.list({ nftId: nft.id, priceMist: 5n });
    sandbox.world.mint({ address: '0x5', collection: 'cave-bats' });
    sandbox.world.receive({ coinType: sui, amount: 7n, from: friend });
    sandbox.world.buy({ nftId: nft.id, buyer: '0x6' });
    const [listing, , payment, sale] = sandbox.world.state.transactions.slice(before).map(({ digest }) => digest);
    const since = async (...literals: Parameters<typeof anyOf>) =>
      digestsOf(await framesOf(sandbox, { filter: anyOf(...literals), options: { limit: 1000 } })).slice(-3);
    expect(digestsOf(await framesOf(sandbox, { filter: anyOf(affectedObject(kiosk.id)) }))).toEqual([
      ...ofKiosk,
      listing,
      sale,
    ]);
    expect(await since(affectedAddress(treasury()), affectedObject(kiosk.id))).toEqual([listing, payment, sale]);
    expect(digestsOf(await framesOf(sandbox, { filter: anyOf(affectedAddress(friend)) }))).toEqual([payment]);
    expect(digestsOf(await framesOf(sandbox, { filter: anyOf(affectedObject(nft.id)) })).slice(-2)).toEqual([
      listing,
      sale,
    ]);
  });

  test('paging by cursor in either direction reaches every transaction once', async () => {
    const filter = anyOf(affectedAddress(treasury()));
    const all = digestsOf(await framesOf(sandbox, { filter, options: { limit: 1000 } }));
    expect(all.length).toBeGreaterThan(100);
    for (const ordering of [0, 1] as const) {
      const read: string[] = [];
      let bound = {};
      for (;;) {
        const frames = await framesOf(sandbox, { filter, options: { limit: 37, ordering, ...bound } });
        read.push(...digestsOf(frames));
        const { end, watermark } = frames.at(-1)!;
        expect(frames.filter((frame) => frame.end)).toHaveLength(1);
        bound = ordering === 0 ? { after: watermark!.cursor } : { before: watermark!.cursor };
        if (end?.reason !== ITEM_LIMIT) break;
      }
      expect(read).toEqual(ordering === 0 ? all : all.toReversed());
    }
  });

  test('the next read continues from the cursor at the tip', async () => {
    const filter = anyOf(affectedAddress(friend));
    const end = (await framesOf(sandbox, { filter })).at(-1)!;
    expect(end.end?.reason).toBe(LEDGER_TIP);
    const again = () => framesOf(sandbox, { filter, options: { after: end.watermark!.cursor! } });
    expect(digestsOf(await again())).toEqual([]);
    sandbox.world.receive({ coinType: sui, amount: 7n, from: friend });
    expect(digestsOf(await again())).toHaveLength(1);
  });

  test('a checkpoint that was reported is closed: new transactions go into a later one', async () => {
    const { checkpointHeight } = (await nodeOf(sandbox).ledgerService.getServiceInfo({})).response;
    sandbox.world.receive({ coinType: sui, amount: 7n, from: friend });
    const filter = anyOf(affectedAddress(friend));
    expect(digestsOf(await framesOf(sandbox, { filter, endCheckpoint: checkpointHeight! + 1n }))).toEqual([]);
    expect(digestsOf(await framesOf(sandbox, { filter, startCheckpoint: checkpointHeight! + 1n }))).toHaveLength(1);
  });

  test('a filter of more than ten literals is refused, as real nodes do', async () => {
    const kiosks = Array.from({ length: 10 }, (_, at) => affectedObject(`0x${at + 1}`));
    const filter = anyOf(affectedAddress(treasury()), ...kiosks);
    await expect(framesOf(sandbox, { filter })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('filter contains 11 literals; at most 10 are allowed') as string,
    });
    const tenOfThem = anyOf(affectedAddress(treasury()), ...kiosks.slice(1));
    expect(digestsOf(await framesOf(sandbox, { filter: tenOfThem })).length).toBeGreaterThan(0);
  });

  test('reading a page out of 100,000 transactions does not scan them all', async () => {
    const context = { state: sandbox.world.state, now: sandbox.world.now };
    const ofOther = `0x${'e'.repeat(64)}`;
    for (let each = 0; each < 100_000; each += 1) execute(context, ofOther);
    sandbox.world.receive({ coinType: sui, amount: 7n, from: friend });
    const quickest = async (filter: ReturnType<typeof anyOf>): Promise<number> => {
      const pagesMs: number[] = [];
      for (let page = 0; page < 10; page += 1) {
        const startedMs = performance.now();
        await framesOf(sandbox, { filter, options: { limit: 1 } });
        pagesMs.push(performance.now() - startedMs);
      }
      return Math.min(...pagesMs);
    };
    // Modules have no index here: only a full scan can tell that none matches.
    const module = '0x99::nothing';
    const walked = await quickest(
      anyOf({ negated: false, predicate: { oneofKind: 'emitModule', emitModule: { module } } }),
    );
    expect(await quickest(anyOf(affectedAddress(friend)))).toBeLessThan(walked / 2);
  });
});

describe('a pruned node and the archive', () => {
  test('below its first kept checkpoint the node has no transactions or checkpoints, and lists start there', async () => {
    const { transactions } = sandbox.world.state;
    const middle = transactions[Math.floor(transactions.length / 2)]!;
    const filter = anyOf(affectedAddress(treasury()));
    const all = digestsOf(await framesOf(sandbox, { filter, options: { limit: 1000 } }));
    sandbox.world.prune({ checkpoint: middle.checkpoint });
    const { ledgerService } = nodeOf(sandbox);
    const { lowestAvailableCheckpoint } = (await ledgerService.getServiceInfo({})).response;
    expect(lowestAvailableCheckpoint).toBe(BigInt(middle.checkpoint));
    const old = transactions.find(({ digest }) => digest === all[0])!;
    const checkpointId = { oneofKind: 'sequenceNumber', sequenceNumber: BigInt(old.checkpoint) } as const;
    await expect(ledgerService.getTransaction({ digest: old.digest })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ledgerService.getCheckpoint({ checkpointId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const kept = digestsOf(await framesOf(sandbox, { filter, startCheckpoint: 0n, options: { limit: 1000 } }));
    expect(kept.length).toBeLessThan(all.length);
    expect(kept).toEqual(all.slice(-kept.length));

    const archive = nodeOf(sandbox, 'archive').ledgerService;
    expect((await archive.getServiceInfo({})).response.lowestAvailableCheckpoint).toBe(0n);
    expect((await archive.getTransaction({ digest: old.digest })).response.transaction?.digest).toBe(old.digest);
    expect((await archive.getCheckpoint({ checkpointId })).response.checkpoint?.sequenceNumber).toBe(
      BigInt(old.checkpoint),
    );
    expect(digestsOf(await framesOf(sandbox, { filter, options: { limit: 1000 } }, 'archive'))).toEqual(all);
  });

  test('the archive fails and recovers independently of the node', async () => {
    await sandbox.faults.set('archive', { kind: '503' });
    await expect(nodeOf(sandbox, 'archive').ledgerService.getServiceInfo({})).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect((await nodeOf(sandbox).ledgerService.getServiceInfo({})).response.server).toBe('sui-node/sandbox');
    await sandbox.faults.clear('archive');
    expect((await nodeOf(sandbox, 'archive').ledgerService.getServiceInfo({})).response.server).toBe(
      'sui-node/sandbox',
    );
  });
});
