import type { Update, UserFromGetMe } from 'grammy/types';

import { createBotRunner, retryPace } from '../../bot-service/bot-runner.ts';
import type { Deliveries } from '../deliveries.ts';
import { apiFailureOf, type BotApi, createBotApi, readMe } from '../send/bot-api.ts';
import { createFloodLimiter, createUpdateIntake } from './admit-updates.ts';
import type { BotPace, TelegramParts } from './bot-deps.ts';
import { createGroupAdmins } from './group-admins.ts';
import { createUpdateHandler } from './handle-update.ts';
import { readRequest } from './read-request.ts';
import { introduceBot, runBot } from './run-bot.ts';
import { createUpdateStore, addUpdateJobs } from './update-jobs.ts';
import { createWebhook } from './webhook.ts';

export const botPace: BotPace = { ...retryPace, settleMs: 10_000 };

/** The bot with a token. One copy at a time is connected to Telegram; any copy may take the job that answers an update. */
export function createBotService(parts: TelegramParts, deliveries: Pick<Deliveries, 'send'>, token: string) {
  const { settings, service, botIdentity, log } = parts;
  const botApi = createBotApi({ token, apiUrl: settings.apiUrl });
  const identity = createIdentity(botApi.api);
  const updates = createUpdates(parts, botApi, identity);
  const takeOne = async (update: Update): Promise<void> => {
    await identity.identifyBot();
    await updates.take([update]);
  };
  const webhook = settings.mode === 'webhook' ? createWebhook({ ...parts, ...settings, take: takeOne }) : null;
  const onIdentified = async (me: UserFromGetMe, stop: AbortSignal): Promise<void> => {
    identity.set(me);
    await updates.handleWaiting();
    await introduceBot(botApi.api, stop).catch((error: unknown) =>
      log.warn({ err: error }, 'The Telegram bot could not register its commands'),
    );
  };
  const runner = createBotRunner({
    ...parts,
    store: service,
    label: 'Telegram bot',
    failureOf: apiFailureOf,
    run: async (report, stop) => {
      if (!(await botIdentity.check())) return;
      await runBot({ botApi, webhook: webhook?.address ?? null, take: updates.take, onIdentified }, report, stop);
    },
    onWantedChange: parts.onServiceChange,
    runBeside: async (row, over) => {
      if (botIdentity.isSame(row)) await deliveries.send(over);
    },
  });
  return {
    routes: webhook === null ? [] : [webhook.route],
    start: runner.start,
    stop: runner.stop,
  };
}

/** From an update of Telegram to its row, its job and its answer (docs/decisions/0016). */
function createUpdates(parts: TelegramParts, { api }: BotApi, identity: Identity) {
  const { me, identifyBot } = identity;
  const limiter = createFloodLimiter(parts.nowMs);
  const store = createUpdateStore(parts.db);
  const { handleChats, handleWaiting } = addUpdateJobs({
    ...parts,
    ...createUpdateHandler({ ...parts, api, me, limiter }),
    store,
    identifyBot,
    read: (update) => readRequest(update, me()),
    isAdmin: createGroupAdmins(api, parts.clock).isAdmin,
  });
  return { handleWaiting, take: createUpdateIntake({ limiter, me, store, handleChats, log: parts.log }) };
}

type Identity = ReturnType<typeof createIdentity>;

/** The bot's identity. A copy that does not run the bot asks Telegram on its first update. */
function createIdentity(api: BotApi['api']) {
  let known: UserFromGetMe | null = null;
  return {
    set: (me: UserFromGetMe): void => void (known = me),
    identifyBot: async (): Promise<void> => void (known ??= await readMe(api)),
    me: (): UserFromGetMe => {
      if (known === null) throw new Error('The identity of the bot is not known yet');
      return known;
    },
  };
}
