import { expect, test } from 'vitest';
import { readWalletText } from './wallet-text.ts';

const digits = 'aB'.repeat(32);

test('an address is read with capitals, spaces around it and without 0x', () => {
  const address = `0x${digits.toLowerCase()}`;
  for (const text of [`0x${digits}`, ` 0X${digits}\n`, digits]) expect(readWalletText(text)).toEqual({ address });
});

test.each([
  ['grug.sui', 'grug.sui'],
  [' @Grug ', 'grug.sui'],
  ['cave.grug.sui', 'cave.grug.sui'],
  ['cave@grug', 'cave.grug.sui'],
  ['0x12.sui', '0x12.sui'],
])('%j is the name %s', (text, name) => {
  expect(readWalletText(text)).toEqual({ name });
});

test.each([
  ['', 'Paste a Sui address or a name first'],
  ['0x12', 'too short: it has 2 of 64'],
  [`0x${digits}f`, 'too long: it has 65 of 64'],
  [`0x${'a'.repeat(40)}`, 'Ethereum'],
  ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', 'another chain'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'another chain'],
  ['grug.eth', 'not a Sui name'],
  ['@gr_ug', 'not a Sui name'],
  ['-grug.sui', 'not a Sui name'],
  ['<script>', 'not a Sui address'],
])('%j is told in one sentence what is wrong', (text, words) => {
  const read = readWalletText(text);
  expect('problem' in read && read.problem).toContain(words);
});
