import type { Json } from './answer-variants.ts';

/** Full answers to the calls of the tab 'Payouts'; no number in them is 0, and none is repeated unless it means the same thing. */
const at = '2026-11-20T10:00:00.000Z';
const coin = { type: '0x2::sui::SUI', symbol: 'SUI', decimals: 1 };
const holder = `0x${'ab'.repeat(32)}`;
const line = { address: holder, raw: '930', rocks: [94] };

export const fullPayoutAnswers: Readonly<Record<string, Json>> = {
  '/api/admin/payouts': {
    payouts: [
      {
        id: 7,
        version: 951,
        state: 'paying',
        terms: {
          title: 'Rocks of October',
          reason: 'Revenue',
          coinType: coin.type,
          amount: { mode: 'total', raw: '960' },
          leftOut: [{ address: holder, reason: 'The painter' }],
        },
        snapshot: { askedAt: at, problem: 'Nobody can be found.' },
        plan: {
          sha256: 'feed'.repeat(16),
          coin,
          checkpoint: '952',
          at,
          outcome: {
            rocks: 953,
            holders: 954,
            shareRaw: '970',
            totalRaw: '980',
            remainderRaw: '990',
            leftRaw: '110',
            leftOut: [{ address: holder, reason: 'The painter', rocks: [95] }],
            transactions: 955,
            gasMist: '120',
            newHolders: 956,
            goneHolders: 957,
          },
        },
        publishedAt: at,
        withdrawn: { at, by: 'ogg', reason: 'Wrong month' },
        updated: { at, by: 'ogg' },
      },
    ],
    coins: [{ type: coin.type, symbol: 'SUI', decimals: 1, balanceRaw: '130' }],
  },
  '/api/payouts/7': {
    asOf: at,
    lines: { open: 961, paid: 962, paidOtherwise: 963, paidTwice: 964 },
    paidRaw: '140',
  },
  '/api/admin/payouts/7/transactions': {
    transactions: [
      {
        digest: 'Digestabcd',
        state: 'waiting',
        lines: 965,
        totalRaw: '930',
        gasBudgetMist: '160',
        gasMist: '180',
        builtAt: at,
        builtBy: 'ogg',
        expiresEpoch: 966,
        executedAt: null,
        explorerUrl: 'https://explorer.example',
        bytes: 'AAAA',
        problem: null,
        received: [line],
      },
    ],
    open: { lines: 967, raw: '930' },
  },
  '/api/admin/payouts/7/announcements': {
    cards: [
      { kind: 'published', text: 'Payout published: Rocks of October', refusal: null },
      { kind: 'paid', text: 'Payout paid: Rocks of October', refusal: 'This payout has not been paid in full.' },
    ],
    places: [
      { place: 'telegram:-100968', name: 'Rock Fans', trouble: null },
      { place: 'discord:300000000000000969', name: '#news in Rock Mountain', trouble: 'The bot is off.' },
    ],
    posted: [
      {
        kind: 'published',
        place: 'discord:300000000000000969',
        name: '#news in Rock Mountain',
        state: 'failed',
        reason: 'The channel was deleted.',
        isDoubtful: true,
        askedAt: at,
        askedBy: 'ogg',
        postedAt: at,
      },
    ],
  },
};
