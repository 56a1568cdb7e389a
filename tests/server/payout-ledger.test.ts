import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { suiCoinType } from '../../src/shared/sui-address.ts';
import { type PayingScene, startPayingScene } from '../support/paying-scene.ts';
import { payingSteps } from '../support/paying-steps.ts';
import { newestOf, refusalOf } from '../support/treasurer-calls.ts';

const dayMs = 86_400_000;

let scene: PayingScene;
let aheadMs = 0;
beforeAll(async () => {
  scene = await startPayingScene({ sandbox: { now: () => new Date(Date.now() + aheadMs) } });
}, 120_000);
afterAll(() => scene.end());
/** A transaction that a test leaves waiting expires within a few days. */
afterEach(async () => {
  await scene.sandbox.faults.clear();
  aheadMs += 3 * dayMs;
});

const { handOut, oddlyPaid, newHolders, payByHand, coinsOf } = payingSteps(() => scene);
const stateOf = async (id: number) => (await scene.all()).find((each) => each.id === id)?.state;
/** Pays from a coin object that no transaction here spends. */
async function payFresh(to: string, raw: bigint) {
  const coin = { coinType: suiCoinType, amount: 900_000_000n + raw };
  scene.sandbox.world.receive(coin);
  const fresh = (await coinsOf()).find(({ balance }) => balance === String(coin.amount));
  if (fresh === undefined) throw new Error('There is no coin');
  await payByHand(fresh, to, raw);
}

describe('rulings R9: decisions that depend on the chain use the chain as it is now', () => {
  test('a payout with a line that was paid by hand a moment ago is not withdrawn', async () => {
    const holders = newHolders(3);
    const id = await scene.publish({ holders });
    await payFresh(holders[1] ?? '', 1_000_000n);
    expect(await refusalOf(scene.withdraw(id))).toMatchObject({ code: 'paid' });
    expect(await stateOf(id)).toBe('paying');
    await scene.pay(id, newestOf(await scene.build(id)));
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('a transaction with a line that was paid by hand a moment ago is not sent', async () => {
    const holders = newHolders(3);
    const { id, built } = await handOut(holders);
    await payFresh(holders[1] ?? '', 1_000_000n);
    expect(await refusalOf(scene.pay(id, built))).toMatchObject({ code: 'paid-meanwhile' });
    aheadMs += 2 * dayMs;
    await scene.pay(id, newestOf(await scene.build(id)));
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('while the node is down nothing is withdrawn, sent or published', async () => {
    const holders = newHolders(2);
    const unpublished = await scene.draft({ holders });
    const { plan } = await scene.snapshot(unpublished);
    const waiting = await handOut(newHolders(2));
    const id = await scene.publish({ holders: newHolders(2) });
    await scene.sandbox.faults.set('sui', { kind: '503' });
    const publish = () =>
      scene.call('POST', '/api/admin/payouts/{id}/publish', {
        params: { id: String(unpublished) },
        body: { sha256: plan?.sha256 },
      });
    for (const call of [() => scene.withdraw(id), () => scene.pay(waiting.id, waiting.built), publish])
      await expect(call()).rejects.toMatchObject({ name: 'Unavailable' });
    expect([await stateOf(id), await stateOf(unpublished)]).toEqual(['published', 'draft']);
    const sent = "select 1 from audit_entries where action = 'payout-transaction-sent' and subject_id = $1";
    expect(await scene.database.rows(sent, [String(waiting.id)])).toEqual([]);
    await scene.sandbox.faults.clear();
    await scene.withdraw(id);
    expect(await stateOf(id)).toBe('withdrawn');
  });
});

describe('rulings R9: what the ledger cannot know does not count as unpaid', () => {
  test('an executed payment that is missing from the ledger blocks building and withdrawing', async () => {
    const holders = newHolders(2);
    const { id, built } = await handOut(holders);
    await scene.pay(id, built);
    const hidden = "update ledger_recipients set coin_type = 'hidden' where digest = $1";
    await scene.database.rows(hidden, [built.digest]);
    for (const call of [scene.build, scene.withdraw]) {
      expect(await refusalOf(call(id))).toEqual({
        code: 'payment-not-shown',
        message: expect.stringContaining(`does not show the executed transaction ${built.digest}`),
      });
    }
    expect(oddlyPaid(holders, '1000000')).toEqual([]);
  });

  test('a payment to an address of the plan since its snapshot blocks publishing until the owners are read again', async () => {
    const holders = newHolders(3);
    const id = await scene.draft({ holders });
    const { plan } = await scene.snapshot(id);
    await payFresh(holders[2] ?? '', 1_000_000n);
    const publish = (sha256: string | undefined) =>
      scene.call('POST', '/api/admin/payouts/{id}/publish', { params: { id: String(id) }, body: { sha256 } });
    expect(await refusalOf(publish(plan?.sha256))).toEqual({
      code: 'paid-before',
      message: `The treasury has paid ${holders[2]} since the owners were read. Read them again.`,
    });
    expect(await stateOf(id)).toBe('draft');
    await publish((await scene.snapshot(id)).plan?.sha256);
    expect(await scene.page(id)).toMatchObject({ state: 'published', lines: { open: 3 } });
  });

  test('a plan whose lines were paid to the unit by no payout known here, as after an older backup was restored, is not published', async () => {
    const holders = newHolders(3);
    const lost = await scene.publish({ holders });
    await scene.pay(lost, newestOf(await scene.build(lost)));
    const [paid] = await scene.database.rows<{ digest: string }>(
      'delete from payout_transactions where payout = $1 returning digest',
      [lost],
    );
    await scene.database.rows('delete from payouts where id = $1', [lost]);
    // One of the three has sold its rock since.
    const holdersNow = [...holders.slice(0, 2), ...newHolders(1)];
    expect(await refusalOf(scene.publish({ holders: holdersNow }))).toEqual({
      code: 'paid-elsewhere',
      message: `2 of 3 lines of this plan were paid in exactly these amounts before, and by no payout listed here: by transaction ${paid?.digest}. It may be this payout, published before a backup was restored: then delete this draft. If it is meant to be another payment, change the amount.`,
    });
    await scene.publish({ holders: holdersNow, raw: 1_000_001n });
  });

  test('a payment is found by its digest in the ledger when the node no longer has it', async () => {
    const { id, built } = await handOut(newHolders(2));
    await scene.pay(id, built);
    const { world } = scene.sandbox;
    world.receive({ coinType: suiCoinType, amount: 1n });
    world.prune({ checkpoint: world.state.transactions.at(-1)?.checkpoint ?? 0 });
    expect((await scene.checkChain(id, built.digest)).found).toBe('executed');
    world.prune({ checkpoint: 0 });
  });

  // Must be the last test: the ledger stays like this, whatever its job writes.
  test('while the ledger begins after the snapshot nothing is built or withdrawn', async () => {
    const id = await scene.publish({ holders: newHolders(2) });
    const { database } = scene;
    await database.rows(`create function later() returns trigger language plpgsql as
      'begin new.known_since_checkpoint := new.covered_checkpoint + 1000; return new; end'`);
    await database.rows('create trigger later before update on ledger_readings for each row execute function later()');
    await database.rows('update ledger_readings set is_complete = is_complete');
    for (const call of [scene.build, scene.withdraw])
      expect(await refusalOf(call(id))).toMatchObject({ code: 'ledger-too-short' });
    expect(await stateOf(id)).toBe('published');
  });
});
