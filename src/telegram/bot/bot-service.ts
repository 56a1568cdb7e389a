import type { Update, UserFromGetMe } from 'grammy/types';

import { createBotRunner, type RetryPace, retryPace } from '../../bot-service/bot-runner.ts';
import type { SameBot, ServiceStore } from '../../bot-service/service-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import type { Deliveries } from '../deliveries.ts';
import { apiFailureOf, type BotApi, createBotApi, readMe } from '../send/bot-api.ts';
import { createFloodRule } from './admit-updates.ts';
import type { BotDeps, TelegramSettings } from './bot-deps.ts';
import { createGroupAdmins } from './group-admins.ts';
import { createRefusal, createUpdateHandler, dispatchUpdate } from './handle-update.ts';
import { introduceBot, runBot } from './run-bot.ts';
import { createUpdateIntake } from './take-updates.ts';
import { createUpdateStore } from './update-jobs.ts';
import { createWebhook } from './webhook.ts';

export interface BotPace extends RetryPace {
  /** How long Initialize and Shutdown wait for it. */
  readonly settleMs: number;
}

export const botPace: BotPace = { ...retryPace, settleMs: 10_000 };

interface BotServiceDeps extends Omit<BotDeps, 'api' | 'say' | 'deliveriesOf' | 'log'> {
  readonly settings: TelegramSettings & { readonly botToken: string };
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly url: string;
  readonly store: ServiceStore;
  readonly sameBot: SameBot;
  readonly deliveries: Deliveries;
  readonly log: Logger;
  readonly pace: BotPace;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

/** The bot with a token: connected to Telegram by one copy at a time, answering from whichever copy takes an update's job. */
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
    besides: async (service, over) => {
      if (sameBot.isSame(service)) await deliveries.send(over);
    },
  });
  return {
    routes: webhook === null ? [] : [webhook.route],
    start: runner.start,
    stop: runner.stop,
  };
}

function createIntake(deps: BotServiceDeps, { api }: BotApi, identity: Identity, isWanted: () => Promise<boolean>) {
  const nowMs = (): number => performance.now();
  const rule = createFloodRule(nowMs);
  const { me, meet } = identity;
  const botDeps = { ...deps, api, deliveriesOf: deps.deliveries.store.ofChat };
  return createUpdateIntake({
    ...deps,
    store: createUpdateStore(deps.db),
    isWanted,
    me,
    meet,
    rule,
    isAdmin: createGroupAdmins(api, nowMs).isAdmin,
    handle: createUpdateHandler({
      dispatch: (update, asked, say) => dispatchUpdate({ ...botDeps, say }, me(), update, asked),
      api,
      log: deps.log,
    }),
    refuse: createRefusal(api, rule),
    nowMs,
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
