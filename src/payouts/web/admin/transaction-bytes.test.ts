import { Transaction } from '@mysten/sui/transactions';
import { expect, test } from 'vitest';
import { suiCoinType } from '../../../shared/sui-address.ts';
import { transactions } from './payouts-calls.ts';
import { differenceFromLines } from './transaction-bytes.ts';

const coin = { type: suiCoinType, symbol: 'SUI', decimals: 9 } as const;
const addressOf = (digit: string): string => `0x${digit.repeat(64)}`;
const treasury = addressOf('a');
const lines = [
  { address: addressOf('1'), raw: '5', rocks: [1] },
  { address: addressOf('2'), raw: '18446744073709551615', rocks: [2, 3] },
];
const differenceOf = (base64: string) => differenceFromLines(base64, { lines, treasury, coin });

async function paying(of: typeof lines, change: (tx: Transaction) => void = () => {}): Promise<string> {
  const tx = new Transaction();
  tx.setSender(treasury);
  tx.setGasOwner(treasury);
  tx.setGasPrice(1_000);
  tx.setGasBudget(5_000);
  tx.setGasPayment([{ objectId: addressOf('6'), version: '7', digest: 'B'.repeat(44) }]);
  const coins = tx.splitCoins(
    tx.gas,
    of.map(({ raw }) => tx.pure.u64(raw)),
  );
  for (const [index, { address }] of of.entries()) tx.transferObjects([coins[index] ?? ''], address);
  change(tx);
  return Buffer.from(await tx.build()).toString('base64');
}

test('the lines, each once, from the treasury: whatever their order', async () => {
  expect(differenceOf(await paying(lines))).toBeNull();
  expect(differenceOf(await paying(lines.toReversed()))).toBeNull();
});

const otherwise = 'They are not a payment by the treasury, or not only that.';
test.each([
  [
    'another address',
    () => paying(lines.map((line) => ({ ...line, address: addressOf('3') }))),
    `They pay 0.000000005 SUI to ${addressOf('3')}, which the plan does not say.`,
  ],
  [
    'another amount',
    () => paying(lines.map((line) => ({ ...line, raw: '6' }))),
    `They pay 0.000000006 SUI to ${addressOf('1')}, which the plan does not say.`,
  ],
  ['a line less', () => paying(lines.slice(1)), `They do not pay ${addressOf('1')}.`],
  ['a line twice', () => paying([...lines, ...lines.slice(0, 1)]), `They pay 0.000000005 SUI to ${addressOf('1')}`],
  ['another sender', () => paying(lines, (tx) => tx.setSender(addressOf('b'))), otherwise],
  ['gas of somebody else', () => paying(lines, (tx) => tx.setGasOwner(addressOf('b'))), otherwise],
  ['a call', () => paying(lines, (tx) => tx.moveCall({ target: `${addressOf('2')}::thief::take` })), otherwise],
  ['a whole coin', () => paying(lines, (tx) => tx.transferObjects([tx.gas], addressOf('3'))), otherwise],
  ['no transaction', async () => 'AAAA', otherwise],
  ['no base64', async () => 'no bytes!', otherwise],
])('%s is told', async (_what, bytes, sentence) => {
  expect(differenceOf(await bytes())).toContain(sentence);
});

test('gas below zero, where merged coins give back more storage than was used, is known like any other', () => {
  const answer = transactions.parse({ transactions: [{ digest: 'a', gasMist: '-956120', received: lines }], open: {} });
  expect(answer.transactions?.[0]).toMatchObject({ gasMist: '-956120', received: lines });
});
