import type { Update, UserFromGetMe } from 'grammy/types';

import { createBotRunner, type RetryPace, retryPace } from '../../bot-service/bot-runner.ts';
import type { SameBot, ServiceStore } from '../../bot-service/service-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import type { Deliveries } from '../deliveries.ts';
import { apiFailureOf, type BotApi, createBotApi, readMe } from '../send/bot-api.ts';
import { createSayWait } from './answering.ts';
import type { BotDeps, TelegramSettings } from './bot-deps.ts';
import { createGroupAdmins } from './group-admins.ts';
import { createApology, createUpdateHandler, dispatchUpdate } from './handle-update.ts';
import { introduceBot, runBot } from './run-bot.ts';
import { createUpdateIntake } from './take-updates.ts';
import { createUpdateStore } from './update-jobs.ts';
import { createWebhook } from './webhook.ts';

export interface BotPace extends RetryPace {
  /** How long Initialize and Shutdown wait for it. */
  readonly settleMs: number;
}

export const botPace: BotPace = { ...retryPace, settleMs: 10_000 };

interface BotServiceDeps extends Omit<BotDeps, 'api' | 'sendNow' | 'admins' | 'deliveriesOf' | 'log'> {
  readonly settings: TelegramSettings & { readonly botToken: string };
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  /** Of the product's database. */
  readonly url: string;
  readonly store: ServiceStore;
  readonly sameBot: SameBot;
  readonly deliveries: Deliveries;
  readonly log: Logger;
  readonly pace: BotPace;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

/** The bot with a token: connected to Telegram by one copy at a time, answering from whichever copy gets an update. */
export function createBotService(deps: BotServiceDeps) {
  const { settings, store, sameBot, deliveries, log } = deps;
  const botApi = createBotApi({ token: settings.botToken, apiUrl: settings.apiUrl });
  const isWanted = async (): Promise<boolean> => (await store.read()).wanted === 'active';
  const identity = createIdentity(botApi.api);
  const intake = createIntake(deps, botApi, identity, isWanted);
  const take = async (update: Update): Promise<void> => {
    await identity.meet();
    await intake.take([update]);
  };
  const webhook = settings.mode === 'webhook' ? createWebhook({ ...deps, ...settings, isWanted, take }) : null;
  const meet = async (me: UserFromGetMe, stop: AbortSignal): Promise<void> => {
    identity.is(me);
    await intake.handleWaiting();
    await introduceBot(botApi.api, stop).catch((error: unknown) =>
      log.warn({ err: error }, 'The Telegram bot could not register its commands'),
    );
  };
  const runner = createBotRunner({
    ...deps,
    label: 'Telegram bot',
    failureOf: apiFailureOf,
    run: async (report, stop) => {
      if (!(await sameBot.check())) return;
      await runBot({ botApi, webhook: webhook?.address ?? null, take: intake.take, meet }, report, stop);
    },
    announce: deps.announce,
    onWish: deps.onNews,
    onWanted: (service) => {
      if (sameBot.isSame(service)) deliveries.start();
    },
    onUnwanted: () => deliveries.pause(),
  });
  return {
    /** The webhook's, in webhook mode. */
    routes: webhook === null ? [] : [webhook.route],
    start: runner.start,
    /** Resolves when every question received by this copy is answered. */
    idle: intake.idle,
    stop: runner.stop,
  };
}

/** How this copy receives and handles updates. */
function createIntake(deps: BotServiceDeps, { api }: BotApi, identity: Identity, isWanted: () => Promise<boolean>) {
  const { deliveries, log, db, jobs } = deps;
  const nowMs = (): number => performance.now();
  const admins = createGroupAdmins(api, nowMs);
  const { sendNow } = deliveries;
  const botDeps = { ...deps, api, admins, deliveriesOf: deliveries.store.ofChat };
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
  const { me, meet } = identity;
  return createUpdateIntake({
    store: createUpdateStore(db),
    jobs,
    isWanted,
    me,
    meet,
    admins,
    handle,
    sayWait,
    nowMs,
    log,
  });
}

type Identity = ReturnType<typeof createIdentity>;

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
