import type { DeliveriesAnswer, TelegramConfiguration, TelegramStatusAnswer } from '../../../src/telegram/contract.ts';

/** Answers that fit the contract, for states that a real server reaches only after days. */
export const configuration = (more: Partial<TelegramConfiguration> = {}): TelegramConfiguration => ({
  id: '1',
  chatId: '-1001234567890',
  collectionName: 'Sui Rocks',
  collectionId: '0x123456789abcdef0123456789abcdef0::rocks::Nft',
  hexCollectionId: null,
  maxSupply: 555,
  trackMint: true,
  trackSales: true,
  trackListings: true,
  trackBids: true,
  mintStats: { mintedCount: 480 },
  version: 3,
  chatTitle: 'Cave of Ogg',
  chatState: 'ok',
  trouble: null,
  purgeAt: null,
  deletedAt: null,
  source: { lastCheckedAt: null, lastSucceededAt: null, failure: null },
  lastEventAt: null,
  lastSentAt: null,
  pendingCount: 0,
  failedCount: 0,
  doubtfulCount: 0,
  ...more,
});

export const status = (more: Partial<TelegramStatusAnswer> = {}): TelegramStatusAnswer => ({
  active: true,
  configCount: 3,
  state: 'active',
  wanted: 'active',
  username: 'sui_rocks_bot',
  since: '2026-11-20T10:00:00.000Z',
  lastError: null,
  mode: 'polling',
  pendingCount: 0,
  oldestPendingSeconds: null,
  marketOutage: null,
  ...more,
});

type Message = DeliveriesAnswer['messages'][number];
export const message = (more: Partial<Message> = {}): Message => ({
  id: '20',
  kind: 'card',
  preview: 'Sale: Rock #41 for 12.50 SUI',
  eventCount: 1,
  state: 'sent',
  attempts: 1,
  isDoubtful: false,
  reason: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  sentAt: '2026-11-20T10:00:01.000Z',
  ...more,
});
