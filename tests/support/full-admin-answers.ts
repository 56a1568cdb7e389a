import type { Json } from './answer-variants.ts';

/** What the calls of the admin area answer with everything that the rulings add; no number in them is 0, and none is told twice. */
const at = '2026-11-20T10:00:00.000Z';
const gwen = { userId: '600000000000000001', displayName: 'Gwen' };

export const fullAdminAnswers: Readonly<Record<string, Json>> = {
  '/api/telegram/status': {
    active: true,
    configCount: 11,
    state: 'failing',
    wanted: 'active',
    username: 'rocks_bot',
    since: at,
    lastError: { message: 'Bad Gateway', at },
    mode: 'polling',
    pendingCount: 12,
    oldestPendingSeconds: 13,
    marketOutage: { since: at, collectionCount: 14 },
  },
  '/api/telegram/configs': [
    {
      id: '7',
      chatId: '-1001234567890',
      collectionName: 'Sui Rocks',
      collectionId: '0x1234567890abcdef',
      hexCollectionId: '0xfeedfeedfeedfeed',
      maxSupply: 555,
      trackMint: true,
      trackSales: true,
      trackListings: true,
      trackBids: true,
      mintStats: { mintedCount: 111 },
      options: { minPriceSui: '15', listingsAtFloorOnly: true, quietHours: '22:00–07:00', recap: '09:00' },
      version: 16,
      chatTitle: 'Cave of Ogg',
      chatState: 'trouble',
      trouble: 'Bad Request: not enough rights',
      purgeAt: at,
      deletedAt: null,
      source: { lastCheckedAt: at, lastSucceededAt: at, failure: 'timeout' },
      lastEventAt: at,
      lastSentAt: at,
      pendingCount: 17,
      failedCount: 18,
    },
  ],
  '/api/telegram/configs/7/deliveries': {
    messages: [
      {
        id: '21',
        kind: 'folded',
        preview: 'Sale of a rock',
        eventCount: 19,
        state: 'failed',
        attempts: 23,
        isDoubtful: true,
        reason: 'Bad Request',
        createdAt: at,
        sentAt: at,
      },
    ],
    nextBefore: '24',
  },
  '/api/discord/status': {
    online: true,
    state: 'failing',
    wanted: 'active',
    username: 'rock-warden',
    id: '200000000000000001',
    since: at,
    lastError: { message: 'Bad Gateway', at },
    guildCount: 1,
  },
  '/api/discord/invite-url': {
    username: 'rock-warden',
    id: '200000000000000001',
    invite_url: 'https://discord.com/oauth2/authorize',
  },
  '/api/discord/guilds': [
    {
      id: '300000000000000001',
      name: 'Rock Mountain',
      memberCount: 41,
      config: {
        roleId: '400000000000000001',
        channelId: '500000000000000001',
        nftContract: '0x2::rocks::Nft',
        nftName: 'Sui Rocks',
        graceMinutes: 25,
        version: 26,
      },
      roles: [{ id: '400000000000000001', name: 'Rock Holder', canBeGiven: false }],
      channels: [{ id: '500000000000000001', name: 'verify', canPost: false }],
      problems: [{ code: 'no-role', message: 'The role is gone.', fix: 'Choose another.' }],
      verifiedCount: 27,
      hasWaitingRemoval: true,
    },
  ],
  '/api/discord/guilds/300000000000000001/statistics': {
    memberCount: 41,
    verifiedCount: 27,
    roleHolderCount: 28,
    walletCount: 29,
    authorizedWalletCount: 31,
    inDoubtCount: 32,
    pendingRemovalCount: 33,
    unknownCount: 34,
    lastSweep: { at, checked: 35, holding: 36, notHolding: 37, unknown: 38, durationMs: 39_000, failure: 'timeout' },
    nextSweepAt: at,
    waitingRemoval: { id: '42', createdAt: at, removalCount: 43, holderCount: 44, members: [gwen] },
    pendingActionCount: 45,
    failedActions: [{ id: '46', kind: 'grant-role', member: gwen, failure: 'The role is too high.', at }],
  },
  '/api/discord/guilds/300000000000000001/members': {
    members: [{ ...gwen, isInGuild: false, standing: 'holder', hasRole: true, walletCount: 47, answeredAt: at }],
    nextAfter: '600000000000000001',
  },
  '/api/discord/guilds/300000000000000001/members/600000000000000001': {
    member: gwen,
    isInGuild: true,
    standing: 'grace',
    hasRole: true,
    answer: 'does-not-hold',
    answeredAt: at,
    nextCheckAt: at,
    removalDueAt: at,
    sentences: ['The role is for holders.'],
    wallets: [{ wallet: '0xabcdefab', linkedAt: at, answer: 'holds', found: 'some rocks', authorizedUntil: at }],
    actions: [{ id: '48', kind: 'remove-role', state: 'failed', cause: 'sold', at, failure: 'The role is too high.' }],
  },
  '/api/discord/guilds/300000000000000001/wallets': [
    {
      id: '49',
      wallet: '0xabcdefab',
      reason: 'Painter of the cave',
      expiresAt: at,
      isActive: true,
      addedBy: 'ogg',
      addedAt: at,
      removedBy: 'ogg',
      removedAt: null,
      member: gwen,
    },
  ],
  '/api/audit': {
    entries: [
      {
        id: '51',
        at,
        actor: { kind: 'admin', name: 'ogg' },
        action: 'telegram-configuration-created',
        subject: { kind: 'telegram-configuration', id: '7', label: 'Cave of Ogg' },
        before: null,
        after: { collectionName: 'Sui Rocks', maxSupply: 555, collectionId: '0x1234567890abcdef1234567890abcdef' },
      },
    ],
    nextBefore: '52',
  },
};

/** Where in the admin area each answer is shown. */
export const adminPlaces: Readonly<Record<string, string>> = {
  '/api/telegram/status': 'tab=telegram',
  '/api/telegram/configs': 'tab=telegram&view=configurations',
  '/api/telegram/configs/7/deliveries': 'tab=telegram&view=configurations&deliveries=7',
  '/api/discord/status': '',
  '/api/discord/invite-url': '',
  '/api/discord/guilds': 'view=servers',
  '/api/discord/guilds/300000000000000001/statistics': 'view=servers&statistics=300000000000000001',
  '/api/discord/guilds/300000000000000001/members': 'view=servers&statistics=300000000000000001',
  '/api/discord/guilds/300000000000000001/members/600000000000000001':
    'view=servers&statistics=300000000000000001&member=600000000000000001',
  '/api/discord/guilds/300000000000000001/wallets': 'view=servers&wallets=300000000000000001',
  '/api/audit': 'tab=activity',
};

/** Every number that a text says, as it says it. */
export const numbersIn = (text: string): string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? [];
