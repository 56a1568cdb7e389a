import { Transaction } from '@mysten/sui/transactions';
import { expect, test } from 'vitest';
import { paysExactly } from './sign-here.tsx';

const addressOf = (digit: string): string => `0x${digit.repeat(64)}`;
const treasury = addressOf('a');
const lines = [
  { address: addressOf('1'), raw: '5', rocks: [1] },
  { address: addressOf('2'), raw: '18446744073709551615', rocks: [2, 3] },
];

function paying(of: typeof lines, change: (tx: Transaction) => void = () => {}): boolean {
  const tx = new Transaction();
  tx.setSender(treasury);
  tx.setGasOwner(treasury);
  const coins = tx.splitCoins(
    tx.gas,
    of.map(({ raw }) => tx.pure.u64(raw)),
  );
  for (const [index, { address }] of of.entries()) tx.transferObjects([coins[index] ?? ''], address);
  change(tx);
  return paysExactly(tx.getData(), lines, treasury);
}

test('the lines, each once, from the treasury: whatever their order', () => {
  expect(paying(lines)).toBe(true);
  expect(paying(lines.toReversed())).toBe(true);
});

test.each([
  ['another address', () => paying(lines.map((line) => ({ ...line, address: addressOf('3') })))],
  ['another amount', () => paying(lines.map((line) => ({ ...line, raw: '6' })))],
  ['a line less', () => paying(lines.slice(1))],
  ['a line twice', () => paying([...lines, ...lines.slice(1)])],
  ['another sender', () => paying(lines, (tx) => tx.setSender(addressOf('b')))],
  ['gas of somebody else', () => paying(lines, (tx) => tx.setGasOwner(addressOf('b')))],
  ['a call', () => paying(lines, (tx) => tx.moveCall({ target: `${addressOf('2')}::thief::take` }))],
])('%s is not the same', (_what, isSame) => {
  expect(isSame()).toBe(false);
});

test('a whole coin that is given away is no payment', () => {
  expect(() => paying(lines, (tx) => tx.transferObjects([tx.gas], addressOf('3')))).toThrow();
});
