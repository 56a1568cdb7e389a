import { describe, expect, test } from 'vitest';

import { parseCollectionText } from './collection-lookup.ts';

const address = `0x${'a'.repeat(64)}`;
const type = `${address}::rocks::Nft`;

describe('a text that may name a collection', () => {
  test.each([
    [type, { kind: 'type', type }],
    [`  ${type}\n`, { kind: 'type', type }],
    [type.replace('0xa', '0xA'), { kind: 'type', type }],
    ['0x1f::a::B', { kind: 'type', type: `0x${'1f'.padStart(64, '0')}::a::B` }],
    [address, { kind: 'address', address }],
    [address.slice(2), { kind: 'address', address }],
    ['0x6', { kind: 'address', address: `0x${'6'.padStart(64, '0')}` }],
    ['sui-rocks', { kind: 'slug', slug: 'sui-rocks' }],
    ['https://www.tradeport.xyz/sui/collection/sui-rocks', { kind: 'slug', slug: 'sui-rocks' }],
    ['http://tradeport.xyz/sui/collection/sui-rocks?tab=mint#x', { kind: 'slug', slug: 'sui-rocks' }],
    ['tradeport.xyz/sui/collection/sui-rocks/', { kind: 'slug', slug: 'sui-rocks' }],
    [`https://www.tradeport.xyz/sui/collection/${encodeURIComponent(type)}?tab=items`, { kind: 'type', type }],
    [`https://www.tradeport.xyz/sui/collection/${type}`, { kind: 'type', type }],
    [`https://www.tradeport.xyz/sui/collection/${address}`, { kind: 'address', address }],
    [
      'https://www.tradeport.xyz/sui/collection/307C4DA0-0000-4000-8000-000000000001',
      { kind: 'market-id', marketId: '307c4da0-0000-4000-8000-000000000001' },
    ],
  ])('%j', (text, expected) => {
    expect(parseCollectionText(text)).toEqual(expected);
  });
});

test.each(['""', "''", '``', '<>', '“”', '‘’', '«»'])('%s around a text are ignored', ([open, close]) => {
  expect(parseCollectionText(`${open} ${type}${close}`)).toEqual({ kind: 'type', type });
});

describe('a text that cannot name a collection of Sui', () => {
  test.each([
    ['an Ethereum address', `0x${'A1'.repeat(20)}`],
    ['a Solana address', 'J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w'],
    ['a Bitcoin address', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['an older Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ])('%s is of another chain', (_what, text) => {
    expect(parseCollectionText(text)).toEqual({ kind: 'malformed', problem: 'foreign-chain' });
  });

  test.each([
    ['a page that only looks like the marketplace', 'https://tradeport.xyz.evil.example/sui/collection/sui-rocks'],
    ["another chain's page of the marketplace", 'https://www.tradeport.xyz/aptos/collection/apes'],
    ["another marketplace's page", 'https://opensea.io/collection/boredapeyachtclub'],
    ["another marketplace's page without scheme", 'magiceden.io/marketplace/okay_bears'],
    ["another chain's explorer", 'https://sepolia.etherscan.io/address/0x1'],
    ['an explorer in capital letters', 'HTTPS://SOLSCAN.IO/token/abc'],
    ["a stranger's page", 'https://evil.example/collection/x'],
    ["a stranger's page without scheme", 'evil.example/collection/x'],
    ['another page of the marketplace', 'https://www.tradeport.xyz/sui/nft/1'],
    ['the front page of the marketplace', 'https://www.tradeport.xyz/'],
    ['an explorer of Sui', 'https://suiscan.xyz/mainnet/object/0x6'],
  ])('%s is a link to something else', (_what, text) => {
    expect(parseCollectionText(text)).toEqual({ kind: 'malformed', problem: 'other-link' });
  });

  test.each(['0x2::sui::SUI', '0x2::coin::Coin<0x2::sui::SUI>', '0x02::coin::CoinMetadata<0x5::a::A>'])(
    '%s is a coin',
    (text) => {
      expect(parseCollectionText(text)).toEqual({ kind: 'malformed', problem: 'coin' });
    },
  );

  test.each([
    '',
    '   ',
    '0x',
    '0xzz',
    `0x${'a'.repeat(65)}`,
    '0x1::a',
    '::::',
    '0x1::a::B<',
    'two words',
    '<b>rocks</b>',
    '""',
    `"${address}`,
    `"${address}'`,
    `""${address}""`,
    '@sui_rocks',
    '🪨',
    "'; drop table",
    'x'.repeat(101),
    'a::'.repeat(400),
    'https://www.tradeport.xyz/sui/collection/%E0%A4%A',
    'https://www.tradeport.xyz/sui/collection/a%00b',
  ])('%j is unreadable', (text) => {
    expect(parseCollectionText(text)).toEqual({ kind: 'malformed', problem: 'unreadable' });
  });

  test('a text of any length is parsed quickly', () => {
    const startedMs = performance.now();
    for (const text of ['a'.repeat(900), `${'a.'.repeat(490)}/`, `0x${'<'.repeat(900)}`, '1'.repeat(1_000_000)]) {
      parseCollectionText(text);
    }
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
