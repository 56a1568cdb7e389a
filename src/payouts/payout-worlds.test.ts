import {
  array,
  assert,
  asyncProperty,
  bigInt,
  boolean,
  constantFrom,
  integer,
  pre,
  property,
  record,
  tuple,
} from 'fast-check';
import { expect, test } from 'vitest';

import { addressOf, planOf, read, smallPlan, transfer, treasury } from '../../tests/support/checked-plans.ts';
import { decodeTransaction } from '../../tests/support/decode-transaction.ts';
import { buildPayment, type PaymentTerms } from '../sources/sui/execution.ts';
import { checkPayments } from './core/check/check-payments.ts';
import { chooseCoins, coinsInOrder } from './core/transaction-rules.ts';
import { type Batch, nextLines, type PayablePlan, type PlanResult, reconcile, type Sent } from './core/reconcile.ts';
import type { LineState } from './core/payout-words.ts';
import type { PayoutPlan } from './payouts-contract.ts';

type Payments = PaymentTerms['payments'];
/** What the treasury does next: a transaction as it was built, or with one thing changed in it, or something by hand. */
const events = [
  'as built',
  'never sent',
  'address',
  'amount',
  'stranger',
  'by hand',
  'beside a swap',
  'two payouts',
  'twice',
  'salary',
] as const;
type Event = (typeof events)[number];

const world = record({
  owners: array(integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 80 }),
  amountRaw: bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
  mode: constantFrom('total' as const, 'per-rock' as const),
  leavesOut: boolean(),
  isSui: boolean(),
  coins: array(bigInt({ min: 1n, max: 10n ** 17n }), { minLength: 1, maxLength: 8 }),
  atOnceMax: integer({ min: 1, max: 12 }),
  happens: array(record({ event: constantFrom(...events), at: integer({ min: 0, max: 11 }) }), { maxLength: 12 }),
});

const stranger = { address: addressOf(5_000), raw: 1n };
const coinsFrom = (from: number, amounts: readonly bigint[]) =>
  amounts.map((raw, index) => ({
    objectId: addressOf(from + index),
    version: BigInt(index + 1),
    digest: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
    madeBy: null,
    raw,
  }));

interface Treasury {
  readonly isSui: boolean;
  readonly coins: readonly bigint[];
  readonly atOnceMax: number;
}

/** Pays a plan as the product does. What is on chain is decoded from the bytes; the expected state of each line is kept beside it. */
function startWorld(plan: PayoutPlan, { isSui, coins, atOnceMax }: Treasury) {
  const sent: Sent[] = [];
  const batches: Batch[] = [];
  const expected: LineState[] = plan.lines.map(() => 'open');
  const withdrawnAt = new Date(1_000);
  const terms = { ...plan, snapshot: { checkpoint: '100' }, withdrawnAt: null, batches: [] };
  // The plan replaces a withdrawn one with the same lines, and another payout has lines for some of the same addresses.
  const twin: PayablePlan = { ...terms, payout: 1, withdrawnAt };
  const other: PayablePlan = {
    ...terms,
    payout: 3,
    lines: plan.lines
      .filter((_line, index) => index % 2 === 0)
      .map((line) => ({ ...line, raw: String(BigInt(line.raw) + 7n) })),
  };
  const otherExpected: LineState[] = other.lines.map(() => 'open');
  const strays: bigint[] = [];
  const sui = coinsInOrder(coinsFrom(9_000, [...coins, 10n ** 18n]), []);
  const held = isSui ? [] : coinsInOrder(coinsFrom(9_500, [...coins, BigInt(plan.totalRaw)]), []);
  const payments = (lines: readonly number[]): Payments =>
    lines.map((index) => ({ address: plan.lines[index]!.address, raw: BigInt(plan.lines[index]!.raw) }));
  const results = () => reconcile([twin, { ...terms, payout: 2, batches }, other], sent);
  const result = (): PlanResult => results().get(2)!;
  const execute = (to: Sent['to'], { digest = `by hand ${sent.length}`, isTransfer = true } = {}): void => {
    const checkpoint = 101n + BigInt(sent.length);
    const at = new Date(withdrawnAt.getTime() + sent.length + 1);
    sent.push({ digest, checkpoint, at, coinType: plan.coin.type, isTransfer, to });
  };
  const build = async (lines: readonly number[], payments: Payments) => {
    const { raw, open } = nextLines(plan, result(), lines.length);
    const chosen = chooseCoins(sui, held, { isSui, coin: plan.coin, raw, openRaw: open.raw, elsewhereRaw: 0n });
    if (chosen.kind === 'short') throw new Error(chosen.message);
    const gas = { gasPriceMist: 1_000n, budgetMist: 50_000_000n };
    const built = await buildPayment({ sender: treasury, ...chosen, ...gas, payments, expiresEpoch: 951n });
    return { ...built, decoded: decodeTransaction(built.bytes) };
  };

  const byHand = (event: Event, next: number): boolean => {
    const paid = expected.indexOf('paid');
    const beside = other.lines.findIndex(
      ({ address }, index) => otherExpected[index] === 'open' && address !== plan.lines[next]!.address,
    );
    if (event === 'salary') execute([stranger]);
    else if (event === 'by hand') execute(payments([next]));
    else if (event === 'beside a swap') execute([...payments([next]), stranger], { isTransfer: false });
    else if (event === 'two payouts' && beside >= 0) {
      const { address, raw } = other.lines[beside]!;
      execute([{ address, raw: BigInt(raw) }, ...payments([next])]);
      otherExpected[beside] = 'paid';
    } else if (event === 'twice' && paid >= 0) execute(payments([paid]));
    else return false;
    if (event === 'twice') expected[paid] = 'paid-twice';
    else if (event !== 'salary') expected[next] = 'paid';
    return true;
  };
  const byTransaction = async (event: Event, lines: readonly number[], at: number): Promise<void> => {
    const built = await build(lines, payments(lines));
    const { sender, gasPayer, objects } = built.decoded;
    expect(built.decoded.payments).toEqual(payments(lines));
    expect([sender, gasPayer, new Set(objects).size]).toEqual([treasury, treasury, objects.length]);
    batches.push({ digest: built.digest, lines });
    if (event === 'never sent') return;
    // A transaction in which no line agrees with the plan cannot be recognized.
    const change = event === 'address' || lines.length > 1 ? event : 'as built';
    const executed = await build(lines, changed(change, payments(lines), at));
    execute(executed.decoded.payments, executed);
    for (const index of lines) expected[index] = 'paid';
    if (change === 'address' || change === 'amount') expected[lines[at]!] = 'paid-otherwise';
    if (change === 'stranger') strays.push(stranger.raw);
  };
  return {
    check: (): PlanResult => {
      const states = (payout: number) =>
        results()
          .get(payout)!
          .lines.map(({ state }) => state);
      expect(states(1)).toEqual(twin.lines.map(() => 'open'));
      expect(states(3)).toEqual(otherExpected);
      const found = result();
      expect(found.lines.map(({ state }) => state)).toEqual(expected);
      expect(found.strays.map(({ raw }) => raw)).toEqual(strays);
      return found;
    },
    /** false: nothing was open. */
    goOn: async (event: Event, at = 0): Promise<boolean> => {
      const { lines } = nextLines(plan, result(), atOnceMax);
      if (lines.length === 0) return false;
      if (!byHand(event, lines[at % lines.length]!)) await byTransaction(event, lines, at % lines.length);
      return true;
    },
  };
}

function changed(event: Event, payments: Payments, at: number): Payments {
  if (event === 'stranger') return [...payments, stranger];
  return payments.map((each, index) => {
    if (index !== at) return each;
    if (event === 'address') return { ...each, address: stranger.address };
    return event === 'amount' ? { ...each, raw: each.raw + 1n } : each;
  });
}

test('in 1,000 random worlds every plan adds up, every transaction pays exactly its lines, and every deviation is named', async () => {
  const seen = new Set<string>();
  await assert(
    asyncProperty(world, async ({ happens, ...given }) => {
      const plan = planOf(given, 2);
      pre(plan !== null);
      const rocks = plan.lines.flatMap((line) => line.rocks).length;
      const totalRaw = plan.lines.reduce((sum, { raw }) => sum + BigInt(raw), 0n);
      const asked = given.mode === 'total' ? given.amountRaw : given.amountRaw * BigInt(rocks);
      expect(totalRaw + BigInt(plan.remainderRaw)).toBe(asked);
      expect(totalRaw).toBe(BigInt(plan.shareRaw) * BigInt(rocks));
      const { goOn, check } = startWorld(plan, given);
      for (const { event, at } of happens) await goOn(event, at);
      check();
      while (await goOn('as built'));
      const { lines, strays } = check();
      for (const { state } of lines) seen.add(state);
      if (strays.length > 0) seen.add('stray');
    }),
    { numRuns: 1_000, seed: 22 },
  );
  expect([...seen].sort()).toEqual(['paid', 'paid-otherwise', 'paid-twice', 'stray']);
}, 120_000);

const holders = [1, 2, 3, 4].map(addressOf);
/** For each holder whether the plan has a line for them, and one of three shares. */
const handPlan = record({
  share: constantFrom(5n, 5n, 7n),
  isPaid: tuple(...holders.map(() => boolean())),
  snapshot: constantFrom(100, 110, 120),
  withdrawnAt: constantFrom(null, null, null, 112, 130),
});
/** For each holder, and one more address, the number of the plan whose amount is sent, another amount, or nothing. */
const handTransfer = record({
  isMixed: constantFrom(false, false, false, true),
  sent: tuple(...[...holders, ''].map(() => constantFrom(null, null, 0, 1, 2, 3n, 14n))),
});

test('in 5,000 random histories of payouts paid by hand, the site and the command that checks it say the same of each line', () => {
  assert(
    property(array(handPlan, { minLength: 3, maxLength: 3 }), array(handTransfer, { maxLength: 6 }), (drawn, sent) => {
      const plans = drawn.map(({ share, isPaid, snapshot }, index) => {
        const all = holders.map((address, at) => ({ address, raw: String(share * BigInt(1 + (at % 2))), rocks: [1] }));
        const lines = all.filter((_line, at) => isPaid[at]);
        const at = { ...smallPlan.snapshot, checkpoint: String(snapshot) };
        return read({ ...smallPlan, payout: index + 1, lines, leftOut: [], snapshot: at });
      });
      const dates = drawn.map(({ withdrawnAt }) => (withdrawnAt === null ? null : new Date(withdrawnAt * 1_000)));
      const transfers = sent.map(({ isMixed, sent: raws }, index) => {
        const to = raws.flatMap((of, at) => {
          const address = holders[at] ?? stranger.address;
          const planned = typeof of === 'number' ? plans[of]?.lines.find((line) => line.address === address)?.raw : of;
          return of === null ? [] : [{ address, raw: BigInt(planned ?? 10n) }];
        });
        return { ...transfer(`transfer ${index}`, 105 + index * 6, to), isMixed };
      });
      const shown = reconcile(
        plans.map((plan, index) => ({ ...plan, withdrawnAt: dates[index] ?? null, batches: [] })),
        transfers.flatMap(({ isMixed, at, ...of }) => (at === null ? [] : [{ ...of, at, isTransfer: !isMixed }])),
      );
      const withdrawnAt = new Map(dates.flatMap((at, index) => (at === null ? [] : [[index + 1, at] as const])));
      for (const plan of plans) {
        const { lines = [], strays = [] } = shown.get(plan.payout) ?? {};
        const found = checkPayments(plan, transfers, { others: plans, withdrawnAt });
        const isPaid = lines.map(({ payments }, at) =>
          payments.some(({ address }) => address === plan.lines[at]?.address),
        );
        expect(found.open).toEqual(plan.lines.filter((_line, at) => !isPaid[at]));
        expect(found.paid).toBe(lines.filter(({ state }) => state === 'paid').length);
        const isAsPlanned = strays.length === 0 && lines.every(({ state }) => state === 'paid' || state === 'open');
        expect(found.problems.length === 0).toBe(isAsPlanned);
      }
    }),
    { numRuns: 5_000, seed: 22 },
  );
}, 120_000);
