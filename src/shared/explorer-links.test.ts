import { expect, test } from 'vitest';
import { nftAtMarketplace } from './explorer-links.ts';

const piece = `0x${'7'.repeat(64)}`;

test.each([
  [
    'https://www.tradeport.xyz/sui/collection/sui-rocks?bottomTab=trades&tab=items',
    `https://www.tradeport.xyz/sui/collection/sui-rocks?bottomTab=trades&tab=items&tokenId=${piece}`,
  ],
  ['https://tradeport.xyz/sui/collection/sui-rocks', `https://tradeport.xyz/sui/collection/sui-rocks?tokenId=${piece}`],
  ['https://market.example/sui/collection/sui-rocks', null],
  ['https://www.tradeport.xyz.example/sui/collection/sui-rocks', null],
  ['https://www.tradeport.xyz/sui', null],
  ['', null],
])('a piece of the collection at %s is linked as %s', (page, address) => {
  expect(nftAtMarketplace(page, piece)).toBe(address);
});
