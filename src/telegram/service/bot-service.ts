import { AsyncLocalStorage } from 'node:async_hooks';

import type { Kysely } from 'kysely';
import type { Update, UserFromGetMe } from 'grammy/types';

import { createBotKeeper } from '../../platform/bot-service/bot-keeper.ts';
import { type TurnPace, turnPace } from '../../platform/bot-service/bot-turn.ts';
import type { SameBot } from '../../platform/bot-service/same-bot.ts';
import type { Leases } from '../../platform/leases.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Route } from '../../http/route.ts';
import { apiFailureOf, createBotApi, readMe } from '../adapters/bot-api.ts';
import type { ChatStore } from '../adapters/chat-store.ts';
import type { ConfigurationStore } from '../adapters/configuration-store.ts';
import { createInboxStore } from '../adapters/inbox-store.ts';
import { migrateChat } from '../adapters/migrate-chat.ts';
import type { ServiceStore } from '../adapters/service-store.ts';
import type { SetupStore } from '../adapters/setup-store.ts';
import type { TelegramTables } from '../adapters/tables.ts';
import { createApology, createBot } from '../bot/create-bot.ts';
import { createGroupAdmins } from '../bot/group-admins.ts';
import { createMembershipDesk } from '../bot/membership-desk.ts';
import { createSayWait, type SayWait } from '../bot/wait-notice.ts';
import type { Configuring } from '../configuring.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { Clock, CollectionHistory, CollectionTracking, SuiPrice } from '../ports.ts';
import type { ReplyKind } from '../send/limits.ts';
import type { SendNow } from '../send/replies.ts';
import { gathered } from './gathered.ts';
import { introduceBot } from './introduce-bot.ts';
import { readAsked } from './read-asked.ts';
import { runBot } from './run-bot.ts';
import { createUpdateHandler } from './update-handler.ts';
import { createUpdateIntake } from './update-intake.ts';
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
  readonly sameBot: SameBot;
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
  /** Names this copy of the product. */
  readonly copy: string;
  readonly pace: BotPace;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

export interface BotService {
  /** The webhook's, in webhook mode. */
  readonly routes: readonly Route[];
  start(): void;
  /** Resolves when every update that has reached this copy is handled. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** The bot with a token: connected to Telegram by one copy at a time, answering from whichever copy an update reaches. */
export function createBotService(deps: BotServiceDeps): BotService {
  const { settings, store, sameBot, deliveries, log, pace } = deps;
  const botApi = createBotApi({ token: settings.botToken, apiUrl: settings.apiUrl });
  const { intake, meet, fromWebhook } = createIntake(deps, botApi);
  const address = createAddress(deps);
  const keeper = createBotKeeper({
    label: 'Telegram bot',
    failureOf: apiFailureOf,
    store,
    leases: deps.leases,
    run: async (report, stop) => {
      if (!(await sameBot.check())) return;
      await runBot(
        {
          botApi,
          webhook: settings.mode === 'webhook' ? address : null,
          intake,
          meet: async (me) => {
            meet(me);
            await introduceBot(botApi.api, stop).catch((error: unknown) =>
              log.warn({ err: error }, 'The Telegram bot could not register its commands'),
            );
          },
        },
        report,
        stop,
      );
    },
    announce: () => {
      deps
        .announce()
        .catch((error: unknown) =>
          log.debug({ err: error }, 'The other copies could not be notified; they will notice by themselves'),
        );
    },
    onWish: deps.onNews,
    onWanted: (service) => {
      if (sameBot.isSame(service)) deliveries.start();
    },
    onUnwanted: () => deliveries.pause(),
    log,
    pace,
  });
  const isWanted = createIsWanted(store);
  return {
    routes: settings.mode === 'webhook' ? [webhookRoute({ address, isWanted, take: fromWebhook, log })] : [],
    start: () => keeper.start(),
    idle: () => intake.idle(),
    stop: async () => {
      await keeper.stop();
      await intake.stop();
    },
  };
}

const wantedForMs = 1_000;

/** That it is wanted is believed for a second: a burst of calls asks the database once. */
function createIsWanted(store: Pick<ServiceStore, 'read'>): () => Promise<boolean> {
  let untilMs = 0;
  const read = gathered(async () => (await store.read()).wanted === 'active', Number.POSITIVE_INFINITY);
  return async () => {
    if (performance.now() < untilMs) return true;
    const isWanted = await read(null);
    if (isWanted) untilMs = performance.now() + wantedForMs;
    return isWanted;
  };
}

type BotApi = ReturnType<typeof createBotApi>;

function createIntake(deps: BotServiceDeps, { api }: BotApi) {
  const { settings, deliveries, log, db, copy, pace } = deps;
  const nowMs = (): number => performance.now();
  // What is being answered decides which share of the group's limit the answer takes, wherever in the bot it is sent.
  const answering = new AsyncLocalStorage<ReplyKind>();
  const sendNow: SendNow = (chatId, topicId, content, options) =>
    deliveries.sendNow(chatId, topicId, content, { kind: answering.getStore() ?? 'change', ...options });
  const admins = createGroupAdmins(api, nowMs);
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
  const sayWait = createSayWait({ sendNow }, nowMs);
  const apologise = createApology({ api, sendNow });
  const handle = createUpdateHandler({ bot, sayWait: toQuestions(sayWait, () => bot.botInfo), apologise, log });
  const intake = createUpdateIntake({
    store: createInboxStore({ db, copy, claimMs: pace.leaseMs }),
    handle: (update, kind) => answering.run(kind, () => handle(update)),
    sayWait,
    admins,
    me: () => bot.botInfo,
    log,
    lookEveryMs: pace.heartbeatMs,
    renewEveryMs: pace.heartbeatMs,
    nowMs,
  });
  return {
    intake,
    meet,
    /** A copy that does not run the bot asks who it is when the first update reaches it. */
    fromWebhook: async (update: Update): Promise<void> => {
      met ??= readMe(api);
      try {
        meet(await met);
      } catch (error) {
        met = null;
        throw error;
      }
      await intake.take([update]);
    },
  };
}

/** That a command is for admins only is said where there is room for it, and otherwise nothing is. */
const toQuestions =
  (sayWait: SayWait, me: () => UserFromGetMe): SayWait =>
  async (update, waitMs) => {
    if (readAsked(update, me()).kind === 'question') await sayWait(update, waitMs);
  };

/** Read once: the secret never changes. */
function createAddress({ store, settings }: BotServiceDeps): () => Promise<WebhookAddress> {
  let known: WebhookAddress | null = null;
  return async () => (known ??= webhookAddress(settings.publicUrl, await store.webhookSecret(newWebhookSecret())));
}
