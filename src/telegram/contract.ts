import * as z from 'zod/mini';
import { botServiceFields, time } from '../shared/answer-fields.ts';

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

export const telegramStatusAnswer = z.object({
  active: z.boolean(),
  configCount: z.int(),
  ...botServiceFields,
  mode: z.enum(['polling', 'webhook']),
  pendingCount: z.int(),
  oldestPendingSeconds: z.nullable(z.int()),
  /** Followed collections that cannot be read because the marketplace does not answer; null: none. */
  marketOutage: z.nullable(z.object({ since: time, collectionCount: z.int().check(z.minimum(1)) })),
});
/** GET /api/telegram/status; POST /api/telegram/init and /api/telegram/shutdown answer the status after it. */
export type TelegramStatusAnswer = z.infer<typeof telegramStatusAnswer>;

export const telegramConfiguration = z.object({
  id: z.string(),
  chatId: z.string(),
  collectionName: z.string(),
  collectionId: z.string(),
  hexCollectionId: z.nullable(z.string()),
  maxSupply: z.nullable(z.int()),
  trackMint: z.boolean(),
  trackSales: z.boolean(),
  trackListings: z.boolean(),
  trackBids: z.boolean(),
  /** In words: these narrow the tracking (rulings R4), so a chat with all four kinds on may still get few messages. */
  options: z.optional(z.array(z.string())),
  mintStats: z.object({ mintedCount: z.int() }),
  /** Sent back as `If-Match` with a change; a change based on an older version is refused with 409. */
  version: z.int(),
  chatTitle: z.string(),
  /** `removed`: the bot was removed, or Telegram does not find the chat; the configuration is purged at `purgeAt`. */
  chatState: z.enum(['ok', 'trouble', 'removed']),
  /** A sentence: our own, or what Telegram says. */
  trouble: z.nullable(z.string()),
  purgeAt: z.nullable(time),
  deletedAt: z.nullable(time),
  source: z.object({
    lastCheckedAt: z.nullable(time),
    lastSucceededAt: z.nullable(time),
    failure: z.nullable(z.string()),
  }),
  lastEventAt: z.nullable(time),
  lastSentAt: z.nullable(time),
  pendingCount: z.int(),
  failedCount: z.int(),
  /** Messages that may have arrived twice; see `isDoubtful`. */
  doubtfulCount: z.optional(z.int()),
});
export type TelegramConfiguration = z.infer<typeof telegramConfiguration>;

/** GET /api/telegram/configs, and GET /api/telegram/deleted-configs (restorable for 30 days). */
export const telegramConfigsAnswer = z.array(telegramConfiguration);

/** 409: someone else saved meanwhile (rulings R6). `yours` is the requested change. */
export const staleConfigAnswer = z.object({
  message: z.string(),
  code: z.literal('stale'),
  current: telegramConfiguration,
  yours: z.record(z.string(), z.unknown()),
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
  reason: z.nullable(z.string()),
  createdAt: time,
  sentAt: z.nullable(time),
});

/** GET /api/telegram/configs/{configId}/deliveries: newest first, 50 a page. */
export const deliveriesAnswer = z.object({ messages: z.array(telegramMessage), nextBefore: z.nullable(z.string()) });
export type DeliveriesAnswer = z.infer<typeof deliveriesAnswer>;
