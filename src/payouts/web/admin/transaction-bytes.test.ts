import { Transaction, type TransactionObjectArgument } from '@mysten/sui/transactions';
import { expect, test } from 'vitest';
import { suiCoinType } from '../../../shared/sui-address.ts';
import { buildPayment, type PaymentTerms } from '../../../sources/sui/execution.ts';
import { transactions } from './payouts-calls.ts';
import { differenceFromPlan, type Expected } from './transaction-bytes.ts';

const coin = { type: suiCoinType, symbol: 'SUI', decimals: 9 } as const;
const gold = { type: `0x${'7'.repeat(64)}::gold::GOLD`, symbol: 'GOLD', decimals: 9 };
const addressOf = (digit: string): string => `0x${digit.repeat(64)}`;
const objectOf = (digit: string) => ({ objectId: addressOf(digit), version: '7', digest: 'B'.repeat(44) });
const versionOf = (digit: string) => ({ ...objectOf(digit), version: 7n, madeBy: null });
const treasury = addressOf('a');
const lines = [
  { address: addressOf('1'), raw: '5', rocks: [1] },
  { address: addressOf('2'), raw: '18446744073709551615', rocks: [2, 3] },
];
const other = { address: addressOf('9'), raw: '7', rocks: [9] };
const expected: Expected = {
  plan: { coin, lines: [...lines, other] },
  received: lines,
  treasury,
  gasBudgetMist: '5000',
  expiresEpoch: 912,
};
const differenceOf = (base64: string, given: Partial<Expected> = {}) =>
  differenceFromPlan(base64, { ...expected, ...given });
const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const built = async (of: readonly { address: string; raw: string }[], given: Partial<PaymentTerms> = {}) => {
  const { bytes } = await buildPayment({
    sender: treasury,
    gasCoins: [versionOf('6')],
    gasPriceMist: 1_000n,
    budgetMist: 5_000n,
    coins: [],
    payments: of.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
    expiresEpoch: 912n,
    ...given,
  });
  return base64Of(bytes);
};

type Parts = readonly TransactionObjectArgument[];

/** The same, built by hand, with a change between the split and the transfers, or after them. */
async function paying(
  of: typeof lines,
  change: (tx: Transaction) => void = () => {},
  between: (tx: Transaction, parts: Parts) => void = () => {},
): Promise<string> {
  const tx = new Transaction();
  tx.setSender(treasury);
  tx.setGasOwner(treasury);
  tx.setGasPrice(1_000);
  tx.setGasBudget(5_000);
  tx.setGasPayment([objectOf('6')]);
  tx.setExpiration({ Epoch: 912 });
  const coins = tx.splitCoins(
    tx.gas,
    of.map(({ raw }) => tx.pure.u64(raw)),
  );
  const parts = of.map((_line, index) => coins[index] ?? '') as unknown as Parts;
  between(tx, parts);
  for (const [index, { address }] of of.entries()) tx.transferObjects([parts[index] ?? ''], address);
  change(tx);
  return base64Of(await tx.build());
}

test('bytes that pay each line once, from the treasury, equal the plan in any order', async () => {
  expect(await paying(lines)).toBe(await built(lines));
  expect(differenceOf(await built(lines))).toBeNull();
  expect(differenceOf(await built(lines.toReversed()))).toBeNull();
});

test.each([1, 2, 3])(
  'bytes that pay a thousand lines of another coin from %i coin objects equal the plan',
  async (count) => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      address: `0x${(index + 1).toString(16).padStart(64, '0')}`,
      raw: String(index + 1),
      rocks: [index + 1],
    }));
    const coins = ['3', '4', '5'].slice(0, count).map(versionOf);
    const bytes = await built(many, { coins });
    expect(differenceOf(bytes, { plan: { coin: gold, lines: many }, received: many })).toBeNull();
  },
);

const otherwise = 'These bytes do something other than pay from the treasury.';
const shared = (tx: Transaction) =>
  tx.sharedObjectRef({ objectId: addressOf('8'), initialSharedVersion: 3, mutable: true });

test.each([
  [
    'another address',
    () => paying(lines.map((line) => ({ ...line, address: addressOf('3') }))),
    `They pay 0.000000005 SUI to ${addressOf('3')}, which is not in the plan.`,
  ],
  [
    'another amount',
    () => paying(lines.map((line) => ({ ...line, raw: '6' }))),
    `They pay 0.000000006 SUI to ${addressOf('1')}, which is not in the plan.`,
  ],
  ['one line less', () => paying(lines.slice(1)), `They do not pay ${addressOf('1')}.`],
  ['a line twice', () => paying([...lines, ...lines.slice(0, 1)]), `They pay 0.000000005 SUI to ${addressOf('1')}`],
  ['another sender', () => paying(lines, (tx) => tx.setSender(addressOf('b'))), otherwise],
  ['gas paid by somebody else', () => paying(lines, (tx) => tx.setGasOwner(addressOf('b'))), otherwise],
  ['a call', () => paying(lines, (tx) => tx.moveCall({ target: `${addressOf('2')}::thief::take` })), otherwise],
  ['a whole coin', () => paying(lines, (tx) => tx.transferObjects([tx.gas], addressOf('3'))), otherwise],
  ['a gas budget that is not shown', () => paying(lines, (tx) => tx.setGasBudget(50_000_000_000)), otherwise],
  ['another last epoch', () => paying(lines, (tx) => tx.setExpiration({ Epoch: 913 })), otherwise],
  ['no last epoch', () => paying(lines, (tx) => tx.setExpiration({ None: true })), otherwise],
  [
    'a part of the gas coin merged into a coin that is shared',
    () => paying(lines, (tx) => tx.mergeCoins(shared(tx), [tx.splitCoins(tx.gas, [1_000])])),
    otherwise,
  ],
  [
    'a whole coin of the treasury merged into a coin that is shared',
    () => paying(lines, (tx) => tx.mergeCoins(shared(tx), [tx.objectRef(objectOf('5'))])),
    otherwise,
  ],
  [
    'a shared coin that is split',
    () => paying(lines, (tx) => tx.mergeCoins(tx.gas, [tx.splitCoins(shared(tx), [1_000])])),
    otherwise,
  ],
  [
    'a part that got more before it is given away',
    () => paying(lines, undefined, (tx, [first = '']) => tx.mergeCoins(first, [tx.splitCoins(tx.gas, [1_000])])),
    otherwise,
  ],
  [
    'a part that got less before it is given away',
    () => paying(lines, undefined, (tx, [first = '']) => tx.mergeCoins(tx.gas, [tx.splitCoins(first, [4])])),
    otherwise,
  ],
  [
    'a part that is merged into another part',
    () => paying(lines, undefined, (tx, [first = '', second = '']) => tx.mergeCoins(first, [second])),
    otherwise,
  ],
  ['a coin object beside the gas coin', () => built(lines, { coins: [versionOf('5')] }), otherwise],
  [
    'a byte after the end',
    async () => base64Of(Buffer.concat([Buffer.from(await built(lines), 'base64'), Buffer.of(0)])),
    otherwise,
  ],
  ['an input that nothing uses', () => paying(lines, (tx) => tx.pure.u64(1)), otherwise],
  ['bytes that are no transaction', async () => 'AAAA', otherwise],
  ['text that is no base64', async () => 'no bytes!', otherwise],
])('%s is reported', async (_what, bytes, sentence) => {
  expect(differenceOf(await bytes())).toContain(sentence);
});

test('another coin is not paid from the gas coin', async () => {
  expect(differenceOf(await built(lines), { plan: { coin: gold, lines } })).toBe(otherwise);
});

const notListed = (digit: string) => `What is listed for ${addressOf(digit)} is not in the plan, or is listed twice.`;
const [first = other, second = other] = lines;
test.each([
  ['nobody', [], 'They pay nobody.'],
  ['a line twice', [first, first], notListed('1')],
  ['a line in place of another', [first, { ...second, address: first.address }], notListed('1')],
  ['an address that is not in the plan', [first, { ...second, address: addressOf('3') }], notListed('3')],
  ['another amount', [{ ...first, raw: '6' }, second], notListed('1')],
  ['other rocks', [first, { ...second, rocks: [2] }], notListed('2')],
])('a list that pays %s does not equal the plan, whatever the bytes', async (_what, received, sentence) => {
  expect(differenceOf(await built(received), { received })).toBe(sentence);
});

test('gas below zero, when merged coins refund more storage than was used, is read like any other', () => {
  const answer = transactions.parse({ transactions: [{ digest: 'a', gasMist: '-956120', received: lines }], open: {} });
  expect(answer.transactions?.[0]).toMatchObject({ gasMist: '-956120', received: lines });
});
