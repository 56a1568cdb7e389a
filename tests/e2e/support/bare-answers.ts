import type { Page } from '@playwright/test';
import type { Json } from '../../support/answer-variants.ts';

/** Answers with exactly the fields that specification 3 and 7 describe. */
export const bareAnswers: Readonly<Record<string, Json>> = {
  '/api/auth/check': { user: { username: 'ada', isAdmin: true } },
  '/api/treasury/balance': {
    data: {
      totalUsdValue: 2400.25,
      balance: { balanceInSui: 500.5 },
      tokenBreakdown: [
        { symbol: 'SUI', coinType: '0x2::sui::SUI', humanBalance: 500.5, usdValue: 2002, price: 4 },
        { symbol: 'USDC', coinType: '0xdba::usdc::USDC', humanBalance: 98.25, usdValue: 98.25, price: 1 },
      ],
      nftBreakdown: [
        { collectionId: '0xabc', collectionName: 'Other Rocks', count: 3, averagePriceSui: 25, totalValueUsd: 300 },
      ],
      nftTotalValueSui: 75,
      nftTotalValueUsd: 300,
    },
  },
  '/api/telegram/status': { data: { active: true, configCount: 1 } },
  '/api/telegram/configs': {
    data: [
      {
        id: '7',
        chatId: '-1001234567890',
        collectionName: 'Sui Rocks',
        collectionId: '0x1234567890abcdef',
        hexCollectionId: '0xfeed',
        maxSupply: 555,
        trackMint: true,
        trackSales: true,
        trackListings: false,
        trackBids: true,
        mintStats: { mintedCount: 111 },
      },
    ],
  },
  '/api/discord/invite-url': {
    data: { username: 'rock-warden', id: '200000000000000001', invite_url: 'https://discord.com/oauth2/authorize' },
  },
  '/api/discord/guilds': {
    data: [
      {
        id: '300000000000000001',
        name: 'Rock Mountain',
        memberCount: 41,
        config: { roleId: '400000000000000001', nftContract: '0x2::rocks::Nft', nftName: 'Sui Rocks' },
      },
      { id: '300000000000000002', name: 'Quarry', memberCount: 5 },
    ],
  },
};

/**
 * From now on the page talks to a server that knows only specification 7 and gives its bare answers: any other read is a 404, changes
 * succeed with `{}`. `answers` replaces some of the answers.
 */
export const meetBareServer = async (page: Page, answers: Readonly<Record<string, Json>> = {}): Promise<void> => {
  const known: Readonly<Record<string, Json>> = { ...bareAnswers, ...answers };
  await page.route('**/api/**', (route) => {
    const answer = route.request().method() === 'GET' ? known[new URL(route.request().url()).pathname] : {};
    return answer === undefined
      ? route.fulfill({ status: 404, json: { message: 'Not found' } })
      : route.fulfill({ json: answer });
  });
};
