import { z } from 'zod';

import { rowId } from '../shared/parsed-text.ts';

/** How a command is described in Telegram's menus, /help, the public page and the dashboard. */
export interface CommandFacts {
  /** Without the slash: 1 to 32 letters (Bot API, BotCommand). */
  readonly name: string;
  readonly who: 'anyone' | 'group-admins';
  readonly where: 'everywhere' | 'groups';
  readonly menuLine: string;
  readonly example?: string;
  /** Specification 2: on the public page; the dashboard's usage instructions list the same seven commands. */
  readonly page?: { readonly usage?: string; readonly text: string };
}

// The admin calls (specification 7), with what rulings R4 and R6 add to their answers.

const time = z.iso.datetime();

export const configParams = z.object({ configId: rowId });
export const messageParams = z.object({ messageId: rowId });

export const telegramStatusAnswer = z.object({
  data: z.object({
    active: z.boolean(),
    configCount: z.int(),
    /** `not-configured`: there is no TELEGRAM_BOT_TOKEN. */
    state: z.enum(['not-configured', 'inactive', 'starting', 'active', 'failing']),
    /** What an admin last requested; a restart restores it. */
    wanted: z.enum(['active', 'inactive']),
    username: z.string().nullable(),
    since: time.nullable(),
    lastError: z.object({ message: z.string(), at: time }).nullable(),
    mode: z.enum(['polling', 'webhook']),
    pendingCount: z.int(),
    oldestPendingSeconds: z.int().nullable(),
    /** Followed collections that cannot be read because the marketplace does not answer; null: none. */
    marketOutage: z.object({ since: time, collectionCount: z.int().min(1) }).nullable(),
  }),
});
/** GET /api/telegram/status; POST /api/telegram/init and /api/telegram/shutdown answer the status after it. */
export type TelegramStatusAnswer = z.infer<typeof telegramStatusAnswer>;

const telegramConfiguration = z.object({
  id: z.string(),
  chatId: z.string(),
  collectionName: z.string(),
  collectionId: z.string(),
  hexCollectionId: z.string().nullable(),
  maxSupply: z.int().nullable(),
  trackMint: z.boolean(),
  trackSales: z.boolean(),
  trackListings: z.boolean(),
  trackBids: z.boolean(),
  /** In words: these narrow the tracking (rulings R4), so a chat with all four kinds on may still get few messages. */
  options: z.array(z.string()).optional(),
  mintStats: z.object({ mintedCount: z.int() }),
  /** Sent back as `If-Match` with a change; a change based on an older version is refused with 409. */
  version: z.int(),
  chatTitle: z.string(),
  /** `removed`: the bot was removed, or Telegram does not find the chat; the configuration is purged at `purgeAt`. */
  chatState: z.enum(['ok', 'trouble', 'removed']),
  /** A sentence: our own, or what Telegram says. */
  trouble: z.string().nullable(),
  purgeAt: time.nullable(),
  deletedAt: time.nullable(),
  source: z.object({
    lastCheckedAt: time.nullable(),
    lastSucceededAt: time.nullable(),
    failure: z.string().nullable(),
  }),
  lastEventAt: time.nullable(),
  lastSentAt: time.nullable(),
  pendingCount: z.int(),
  failedCount: z.int(),
  /** Messages that may have arrived twice; see `isDoubtful`. */
  doubtfulCount: z.int().optional(),
});
export type TelegramConfiguration = z.infer<typeof telegramConfiguration>;

/** GET /api/telegram/configs, and GET /api/telegram/deleted-configs (restorable for 30 days). */
export const telegramConfigsAnswer = z.object({ data: z.array(telegramConfiguration) });

export const telegramConfigAnswer = z.object({ data: telegramConfiguration });

/** 409: someone else saved meanwhile (rulings R6). `yours` is the requested change. */
export const staleConfigAnswer = z.object({
  message: z.string(),
  code: z.literal('stale'),
  current: telegramConfiguration,
  yours: z.record(z.string(), z.unknown()),
});

const countBounds = { error: 'The mint count must be a whole number from 0 to 1,000,000,000.' };
/** POST /api/telegram/reset-mint-count/{configId}. Specification 5: minimum 0. */
export const resetMintCountBody = z.object({
  count: z.int(countBounds).min(0, countBounds).max(1_000_000_000, countBounds),
});

/** PUT /api/telegram/config/{configId}. Empty or null removes the id. */
export const hexCollectionIdBody = z.object({
  hexCollectionId: z.string().max(200, { error: 'The hex id must have at most 200 characters.' }).nullable(),
});

export const telegramMessage = z.object({
  id: z.string(),
  kind: z.enum(['card', 'folded', 'digest', 'recap', 'notice', 'test']),
  /** Plain text in one line, first 200 characters. */
  preview: z.string(),
  eventCount: z.int(),
  state: z.enum(['pending', 'sending', 'sent', 'failed', 'dropped']),
  attempts: z.int(),
  /** It may have arrived twice: a copy stopped, or an answer was lost, while it was being sent. */
  isDoubtful: z.boolean(),
  reason: z.string().nullable(),
  createdAt: time,
  sentAt: time.nullable(),
});

/** GET /api/telegram/configs/{configId}/deliveries?before=: newest first, 50 a page. */
export const deliveriesQuery = z.object({ before: rowId.optional() });
export const deliveriesAnswer = z.object({
  data: z.object({ messages: z.array(telegramMessage), nextBefore: z.string().nullable() }),
});
export type DeliveriesAnswer = z.infer<typeof deliveriesAnswer>;

/** POST /api/telegram/messages/{messageId}/retry and POST /api/telegram/configs/{configId}/send-test. */
export const telegramMessageAnswer = z.object({ data: telegramMessage });
