import { AsyncLocalStorage } from 'node:async_hooks';

import type { Kysely } from 'kysely';
import type { UserFromGetMe } from 'grammy/types';

import type { Leases } from '../../platform/leases.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Route } from '../../server/route.ts';
import { createBotApi } from '../adapters/bot-api.ts';
import type { ChatStore } from '../adapters/chat-store.ts';
import type { ConfigurationStore } from '../adapters/configuration-store.ts';
import { migrateChat } from '../adapters/migrate-chat.ts';
import type { ReplyKind } from '../adapters/send-limits.ts';
import type { SendNow } from '../adapters/send-now.ts';
import type { ServiceStore } from '../adapters/service-store.ts';
import type { SetupStore } from '../adapters/setup-store.ts';
import type { TelegramTables } from '../adapters/tables.ts';
import { createApology, createBot } from '../bot/create-bot.ts';
import { createGroupAdmins } from '../bot/group-admins.ts';
import { createMembershipDesk } from '../bot/membership-desk.ts';
import type { Configuring } from '../configuring.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { Clock, CollectionHistory, CollectionTracking, SuiPrice } from '../ports.ts';
import { createBotKeeper } from './bot-keeper.ts';
import { type TurnPace, turnPace } from './bot-turn.ts';
import { introduceBot } from './introduce-bot.ts';
import { runBot } from './run-bot.ts';
import { createUpdateHandler } from './update-handler.ts';
import { createUpdateQueue } from './update-queue.ts';
import { newWebhookSecret, type WebhookAddress, webhookAddress } from './webhook-address.ts';
import { webhookRoute } from './webhook-intake.ts';

export interface BotPace extends TurnPace {
  /** How long Initialize and Shutdown wait until it is so. */
  readonly settleMs: number;
}

export const botPace: BotPace = { ...turnPace, settleMs: 10_000 };

export interface BotServiceDeps {
  readonly settings: {
    readonly botToken: string;
    readonly apiUrl: string;
    readonly mode: 'polling' | 'webhook';
    readonly publicUrl: string;
    readonly explorerUrl: string;
  };
  readonly db: Kysely<TelegramTables>;
  readonly leases: Leases;
  readonly store: ServiceStore;
  readonly chats: ChatStore;
  readonly configurations: ConfigurationStore;
  readonly setups: SetupStore;
  readonly configuring: Configuring;
  readonly deliveries: Deliveries;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pace: BotPace;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

export interface BotService {
  /** The webhook's, in webhook mode. */
  readonly routes: readonly Route[];
  start(): void;
  stop(): Promise<void>;
}

/** The bot with a token: connected to Telegram by one copy at a time, answering from whichever copy an update reaches. */
export function createBotService(deps: BotServiceDeps): BotService {
  const { settings, store, deliveries, log, pace } = deps;
  const botApi = createBotApi({ token: settings.botToken, apiUrl: settings.apiUrl });
  const take = createIntake(deps, botApi);
  const address = createAddress(deps);
  const keeper = createBotKeeper({
    store,
    leases: deps.leases,
    run: (report, stop) =>
      runBot(
        {
          botApi,
          webhook: settings.mode === 'webhook' ? address : null,
          queue: take.queue,
          meet: async (me) => {
            take.meet(me);
            await introduceBot(botApi.api, stop).catch((error: unknown) =>
              log.warn({ err: error }, 'The Telegram bot could not register its commands'),
            );
          },
        },
        report,
        stop,
      ),
    announce: () => {
      deps.announce().catch((error: unknown) => log.debug({ err: error }, 'The other copies look by themselves'));
    },
    onWish: deps.onNews,
    onWanted: () => deliveries.start(),
    onUnwanted: () => deliveries.stop(),
    log,
    pace,
  });
  const isWanted = async (): Promise<boolean> => (await store.read()).wanted === 'active';
  return {
    routes: settings.mode === 'webhook' ? [webhookRoute({ address, isWanted, take: take.fromWebhook, log })] : [],
    start: () => keeper.start(),
    stop: () => keeper.stop(),
  };
}

type BotApi = ReturnType<typeof createBotApi>;

function createIntake(deps: BotServiceDeps, { api }: BotApi) {
  const { settings, deliveries, log, clock } = deps;
  // What is being answered decides which share of the group's limit the answer takes, wherever in the bot it is sent.
  const answering = new AsyncLocalStorage<ReplyKind>();
  const sendNow: SendNow = (chatId, topicId, content, options) =>
    deliveries.sendNow(chatId, topicId, content, { kind: answering.getStore() ?? 'change', ...options });
  const admins = createGroupAdmins(api, () => clock.now().getTime());
  const membership = createMembershipDesk({
    ...deps,
    dropPending: (id, reason, opened) => deliveries.store.dropPending(id, reason, opened),
    migrate: (opened, from, to) => migrateChat(opened, String(from), String(to)),
  });
  const bot = createBot(settings.botToken, settings.apiUrl, {
    ...deps,
    api,
    sendNow,
    membership,
    admins,
    deliveriesOf: (chatId) => deliveries.store.ofChat(chatId),
    explorerUrl: settings.explorerUrl,
  });
  let met: Promise<UserFromGetMe> | null = null;
  const meet = (me: UserFromGetMe): void => {
    met = Promise.resolve(me);
    bot.botInfo = me;
  };
  const handle = createUpdateHandler({
    bot,
    apologise: createApology({ api, sendNow }),
    log,
  });
  const queue = createUpdateQueue({
    handle: (update, isQuestion) => answering.run(isQuestion ? 'question' : 'change', () => handle(update)),
    isKnownAdmin: (chatId, userId) => admins.wasAdmin(chatId, userId),
    nowMs: () => performance.now(),
  });
  return {
    queue,
    meet,
    /** A copy that does not run the bot asks who it is when the first update reaches it. */
    fromWebhook: async (update: Parameters<typeof handle>[0]): Promise<void> => {
      met ??= api.getMe();
      try {
        meet(await met);
      } catch (error) {
        met = null;
        throw error;
      }
      await queue.push(update);
    },
  };
}

/** Read once: the secret never changes. */
function createAddress({ store, settings }: BotServiceDeps): () => Promise<WebhookAddress> {
  let known: WebhookAddress | null = null;
  return async () => (known ??= webhookAddress(settings.publicUrl, await store.webhookSecret(newWebhookSecret())));
}
