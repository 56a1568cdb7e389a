import type { Update, UserFromGetMe } from 'grammy/types';
import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import type { Route } from '../../http/route.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { createBotRunner, type RetryPace, retryPace } from '../../bot-service/bot-runner.ts';
import type { SameBot } from '../../bot-service/same-bot.ts';
import type { Logger } from '../../process/logger.ts';
import { apiFailureOf, createBotApi, readMe } from '../send/bot-api.ts';
import type { SetupStore } from '../commands/setup-store.ts';
import type { ChatStore } from '../configs/chat-store.ts';
import type { ConfigurationStore } from '../configs/configuration-store.ts';
import type { Configuring } from '../configs/configuring.ts';
import type { Deliveries } from '../deliveries.ts';
import type { Clock } from '../../shared/clock.ts';
import type { CollectionHistory, CollectionTracking } from '../../market/contract.ts';
import type { SuiPrice } from '../sui-price.ts';
import { createSayWait } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { dispatchUpdate } from './dispatch-update.ts';
import { createGroupAdmins } from './group-admins.ts';
import { createApology, createUpdateHandler } from './handle-update.ts';
import { createMemberships } from './membership.ts';
import { type Asked, readAsked } from './read-asked.ts';
import { introduceBot, runBot } from './run-bot.ts';
import type { ServiceStore } from './service-store.ts';
import { createUpdateIntake } from './take-updates.ts';
import { addUpdateJobs } from './update-jobs.ts';
import { createUpdateStore } from './update-store.ts';
import { newWebhookSecret, type WebhookAddress, webhookAddress, webhookRoute } from './webhook.ts';

export interface BotPace extends RetryPace {
  /** How long Initialize and Shutdown wait for it. */
  readonly settleMs: number;
}

export const botPace: BotPace = { ...retryPace, settleMs: 10_000 };

export interface BotServiceDeps {
  readonly settings: {
    readonly botToken: string;
    readonly apiUrl: string;
    readonly mode: 'polling' | 'webhook';
    readonly publicUrl: string;
    readonly explorerUrl: string;
    readonly pollMaxMs: number;
  };
  readonly db: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  /** Of the product's database. */
  readonly url: string;
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
  readonly pace: BotPace;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

export interface BotService {
  /** The webhook's, in webhook mode. */
  readonly routes: readonly Route[];
  start(): void;
  /** Resolves when every question received by this copy is answered. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** The bot with a token: connected to Telegram by one copy at a time, answering from whichever copy gets an update. */
export function createBotService(deps: BotServiceDeps): BotService {
  const { settings, store, sameBot, deliveries, log, pace } = deps;
  const botApi = createBotApi({ token: settings.botToken, apiUrl: settings.apiUrl });
  const isWanted = createIsWanted(store);
  const { intake, identity, handleWaiting, fromWebhook } = createIntake(deps, botApi, isWanted);
  const address = createAddress(deps);
  const runner = createBotRunner({
    url: deps.url,
    label: 'Telegram bot',
    failureOf: apiFailureOf,
    store,
    run: async (report, stop) => {
      if (!(await sameBot.check())) return;
      await runBot(
        {
          botApi,
          webhook: settings.mode === 'webhook' ? address : null,
          take: intake.take,
          meet: async (me) => {
            identity.is(me);
            await handleWaiting();
            await introduceBot(botApi.api, stop).catch((error: unknown) =>
              log.warn({ err: error }, 'The Telegram bot could not register its commands'),
            );
          },
        },
        report,
        stop,
      );
    },
    announce: deps.announce,
    onWish: deps.onNews,
    onWanted: (service) => {
      if (sameBot.isSame(service)) deliveries.start();
    },
    onUnwanted: () => deliveries.pause(),
    log,
    pace,
  });
  return {
    routes: settings.mode === 'webhook' ? [webhookRoute({ address, isWanted, take: fromWebhook, log })] : [],
    start: () => runner.start(),
    idle: () => intake.idle(),
    stop: () => runner.stop(),
  };
}

const wantedForMs = 1_000;

/** Cached for a second: a burst of calls asks the database once. */
function createIsWanted(store: Pick<ServiceStore, 'read'>): () => Promise<boolean> {
  let read: { readonly atMs: number; readonly isWanted: Promise<boolean> } | null = null;
  return async () => {
    if (read !== null && performance.now() < read.atMs + wantedForMs && (await read.isWanted)) return true;
    const isWanted = store.read().then(({ wanted }) => wanted === 'active');
    read = { atMs: performance.now(), isWanted };
    isWanted.catch(() => (read = null));
    return isWanted;
  };
}

type BotApi = ReturnType<typeof createBotApi>;

/** How this copy receives and handles updates. */
function createIntake(deps: BotServiceDeps, { api }: BotApi, isWanted: () => Promise<boolean>) {
  const { settings, deliveries, log } = deps;
  const nowMs = (): number => performance.now();
  const identity = createIdentity(api);
  const admins = createGroupAdmins(api, nowMs);
  const membership = createMemberships(deps);
  const { sendNow } = deliveries;
  const deliveriesOf = (chatId: number) => deliveries.store.ofChat(chatId);
  const { explorerUrl, pollMaxMs } = settings;
  const botDeps = { ...deps, api, membership, admins, deliveriesOf, explorerUrl, pollMaxMs };
  const sayWait = createSayWait({ sendNow }, nowMs);
  const handle = createUpdateHandler({
    dispatch: (update, asked) => {
      // The update being answered decides which share of the group's limit the answer uses, wherever it is sent.
      const kind = asked.kind === 'question' ? 'question' : 'change';
      const send: BotDeps['sendNow'] = (chatId, topicId, content, options) =>
        sendNow(chatId, topicId, content, { kind, ...options });
      return dispatchUpdate({ ...botDeps, sendNow: send }, identity.me(), update, asked);
    },
    sayWait,
    apologise: createApology({ api, sendNow }),
    log,
  });
  const store = createUpdateStore(deps.db);
  const meet = identity.meet;
  const read = (update: Update): Asked => readAsked(update, identity.me());
  const common = { store, admins, handle, nowMs };
  const jobs = addUpdateJobs({
    ...common,
    jobs: deps.jobs,
    isWanted,
    meet,
    read,
    refuse: (update, asked) => intake.refuse(update, asked),
  });
  const intake = createUpdateIntake({ ...common, handleChats: jobs.handleChats, sayWait, me: identity.me, log });
  return {
    intake,
    identity,
    handleWaiting: jobs.handleWaiting,
    fromWebhook: async (update: Update): Promise<void> => {
      await meet();
      await intake.take([update]);
    },
  };
}

/** Who the bot is: a copy that does not run it asks on its first update. */
function createIdentity(api: BotApi['api']) {
  let known: UserFromGetMe | null = null;
  return {
    is: (me: UserFromGetMe): void => void (known = me),
    meet: async (): Promise<void> => void (known ??= await readMe(api)),
    me: (): UserFromGetMe => {
      if (known === null) throw new Error('The bot does not know yet who it is');
      return known;
    },
  };
}

/** Read once: the secret never changes. */
function createAddress({ store, settings }: BotServiceDeps): () => Promise<WebhookAddress> {
  let known: WebhookAddress | null = null;
  return async () => (known ??= webhookAddress(settings.publicUrl, await store.webhookSecret(newWebhookSecret())));
}
