import type { Update, UserFromGetMe } from 'grammy/types';
import { type BotPace, botPace, createBotRunner } from '../bot-service/bot-runner.ts';
import { createBotIdentity, createServiceStore } from '../bot-service/service-store.ts';
import { deliveryRoutes } from './admin/delivery-routes.ts';
import { serviceRoutes } from './admin/bot-status.ts';
import { configurationRoutes } from './admin/configuration-routes.ts';
import type { TelegramParts } from './bot-deps.ts';
import { createFloodLimiter, createUpdateIntake } from './bot/admit-updates.ts';
import { createGroupAdmins } from './bot/group-admins.ts';
import { createUpdateHandler } from './bot/handle-update.ts';
import { introduceBot, runBot } from './bot/run-bot.ts';
import { createUpdateStore, addUpdateJobs } from './bot/update-jobs.ts';
import { createWebhook } from './bot/webhook.ts';
import { createSetupStore } from './commands/setup-store.ts';
import { createChatStore } from './configs/chat-store.ts';
import { createConfigurationStore } from './configs/configuration-store.ts';
import { telegramPurges } from './configs/purges.ts';
import { createMessaging, type Messaging, type MessagingDeps } from './messaging.ts';
import { eventsInUse } from './notify/delivery-listener.ts';
import { createTelegramPosting } from './notify/posting.ts';
import { apiFailureOf, type BotApi, createBotApi, otherBot, readMe, tokenBotId } from './send/bot-api.ts';
import { createOutbox } from './send/outbox.ts';

type Given =
  'config' | 'url' | 'changes' | 'jobs' | 'activity' | 'prices' | 'rocks' | 'shrinker' | 'audit' | 'clock' | 'log';

export interface TelegramDeps extends Pick<TelegramParts, Given> {
  readonly database: TelegramParts['db'];
  /** Only tests change these. */
  readonly pace?: Partial<BotPace>;
  readonly senderLimits?: MessagingDeps['limits'];
  readonly nowMs?: TelegramParts['nowMs'];
}

/** The group-chat bot (specification 2 to 9, rulings R4): commands, notifications, and the admin calls. */
export function createTelegram(deps: TelegramDeps) {
  const parts = createParts(deps);
  const { db, config, service, jobs } = parts;
  const messaging = createMessaging({ ...parts, limits: deps.senderLimits ?? {} });
  const bot = config.TELEGRAM_BOT_TOKEN === null ? null : createBot(parts, messaging, config.TELEGRAM_BOT_TOKEN);
  if (bot !== null) jobs.add(messaging.recaps);
  return {
    routes: [...serviceRoutes(parts), ...configurationRoutes(parts), ...deliveryRoutes(parts), ...(bot?.routes ?? [])],
    /** null without a bot, so that nothing is read in vain. */
    listener: bot === null ? null : messaging.listener,
    purges: telegramPurges(db, parts),
    eventsInUse,
    /** Sends plain text to a chat, bypassing the queue. */
    sendText: messaging.sendText,
    posting: createTelegramPosting(parts),
    /** Telegram's own words for the bot's last failure; null: none. */
    lastError: async () => (await service.read()).lastError?.message ?? null,
    /** Restores the bot's last state. */
    start: () => bot?.start(),
    /** Resolves when this copy no longer sends; another copy may take over at once. */
    stop: async () => bot?.stop(),
  };
}
export type Telegram = ReturnType<typeof createTelegram>;

function createParts({ database: db, ...deps }: TelegramDeps): TelegramParts {
  const service = createServiceStore(db, 'telegram');
  const tokenId = tokenBotId(deps.config.TELEGRAM_BOT_TOKEN);
  const botIdentity = createBotIdentity({ store: service, tokenId, otherBot });
  return {
    ...deps,
    db,
    nowMs: deps.nowMs ?? (() => performance.now()),
    pace: { ...botPace, ...deps.pace },
    chats: createChatStore(db),
    configurations: createConfigurationStore(db),
    setups: createSetupStore(db),
    outbox: createOutbox(db),
    service,
    botIdentity,
    isOn: async () => {
      const row = await service.read();
      return row.wanted === 'active' && botIdentity.isSame(row);
    },
  };
}

/** The bot with a token. One copy at a time is connected to Telegram; any copy may take the job that answers an update. */
function createBot(parts: TelegramParts, messaging: Messaging, token: string) {
  const { config, service, botIdentity, log } = parts;
  const botApi = createBotApi({ token, apiUrl: config.TELEGRAM_API_URL });
  let known: UserFromGetMe | null = null;
  /** The bot's identity. A copy that does not run the bot asks Telegram on its first update. */
  const me = async (): Promise<UserFromGetMe> => (known ??= await readMe(botApi.api));
  const updates = createUpdates(parts, botApi, me);
  const take = (update: Update): Promise<void> => updates.take([update]);
  const webhook = config.TELEGRAM_MODE === 'webhook' ? createWebhook({ ...parts, take }) : null;
  const onIdentified = async (self: UserFromGetMe, stop: AbortSignal): Promise<void> => {
    known = self;
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
    runBeside: async (row, over) => {
      if (botIdentity.isSame(row)) await messaging.send(over);
    },
  });
  return { ...runner, routes: webhook === null ? [] : [webhook.route] };
}

/** From an update of Telegram to its row, its job and its answer (docs/decisions/0016). */
function createUpdates(parts: TelegramParts, { api }: BotApi, me: () => Promise<UserFromGetMe>) {
  const limiter = createFloodLimiter(parts.nowMs);
  const store = createUpdateStore(parts.db);
  const { handleChats, handleWaiting } = addUpdateJobs({
    ...parts,
    ...createUpdateHandler({ ...parts, api, me, limiter }),
    store,
    me,
    isAdmin: createGroupAdmins(api, parts.clock).isAdmin,
  });
  return { handleWaiting, take: createUpdateIntake({ limiter, me, store, handleChats, log: parts.log }) };
}
