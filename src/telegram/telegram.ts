import { hostsOfMarketHere } from '../sources/pictures/download-image.ts';
import type { Config } from '../config.ts';
import type { Trx } from '../db/transaction.ts';
import { createBotIdentity, createServiceStore } from '../bot-service/service-store.ts';
import { deliveryRoutes } from './admin/delivery-routes.ts';
import { serviceRoutes } from './admin/bot-status.ts';
import { configurationRoutes } from './admin/configuration-routes.ts';
import type { BotPace, TelegramParts } from './bot/bot-deps.ts';
import { botPace, createBotService } from './bot/bot-service.ts';
import { createSetupStore } from './commands/setup-store.ts';
import { createChatStore } from './configs/chat-store.ts';
import { createConfigurationStore } from './configs/configuration-store.ts';
import { telegramPurges } from './configs/purges.ts';
import { createDeliveries, type DeliveriesDeps } from './deliveries.ts';
import { eventsInUse } from './notify/delivery-listener.ts';
import { createTelegramPosting } from './notify/posting.ts';
import { otherBot, tokenBotId } from './send/bot-api.ts';
import { createDeliveryStore } from './send/delivery-store.ts';
import { createSuiPrice } from './sui-price.ts';

type Given =
  'url' | 'changes' | 'jobs' | 'tracking' | 'history' | 'prices' | 'rocks' | 'shrinker' | 'audit' | 'clock' | 'log';

export interface TelegramDeps extends Pick<TelegramParts, Given | 'settings'> {
  readonly database: TelegramParts['db'];
  /** Only tests change these. */
  readonly pace?: Partial<BotPace>;
  readonly deliveryLimits?: DeliveriesDeps['limits'];
  readonly nowMs?: TelegramParts['nowMs'];
}

/** The group-chat bot (specification 2 to 9, rulings R4): commands, notifications, and the admin calls. */
export function createTelegram(deps: TelegramDeps) {
  const parts = createParts(deps);
  const { db, settings, service, jobs } = parts;
  const deliveries = createDeliveries({ ...parts, limits: deps.deliveryLimits ?? {} });
  const bot = settings.botToken === null ? null : createBotService(parts, deliveries, settings.botToken);
  if (bot !== null) jobs.add(deliveries.recaps);
  return {
    routes: [...serviceRoutes(parts), ...configurationRoutes(parts), ...deliveryRoutes(parts), ...(bot?.routes ?? [])],
    /** null without a bot, so that nothing is read in vain. */
    listener: bot === null ? null : deliveries.listener,
    purges: telegramPurges(db, parts),
    /** Which of these events are still to be posted. */
    eventsInUse: (eventIds: readonly bigint[], trx: Trx) => eventsInUse(trx, eventIds),
    /** Sends plain text to a chat, bypassing the queue. */
    sendText: deliveries.sendText,
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

interface FromConfigDeps extends Omit<TelegramDeps, 'settings' | 'tracking' | 'history' | 'prices'> {
  readonly activity: TelegramDeps['tracking'] & TelegramDeps['history'];
  readonly prices: Parameters<typeof createSuiPrice>[0];
}

/** The group-chat bot of this environment, with its own view of the activity pipeline. */
export const telegramFrom = (config: Config, { activity, prices, ...deps }: FromConfigDeps): Telegram =>
  createTelegram({
    ...deps,
    tracking: activity,
    history: activity,
    prices: createSuiPrice(prices, deps.clock),
    settings: {
      botToken: config.TELEGRAM_BOT_TOKEN,
      apiUrl: config.TELEGRAM_API_URL,
      mode: config.TELEGRAM_MODE,
      publicUrl: config.PUBLIC_URL,
      explorerUrl: config.EXPLORER_URL,
      pollMaxMs: config.TRACKER_POLL_MAX_MS,
      trustedImageHosts: hostsOfMarketHere(config.MARKET_API_URL),
    },
  });

const topic = 'telegram service';

function createParts({ database: db, ...deps }: TelegramDeps): TelegramParts {
  const { settings, changes } = deps;
  const service = createServiceStore(db, 'telegram');
  const botIdentity = createBotIdentity({ store: service, tokenId: tokenBotId(settings.botToken), otherBot });
  return {
    ...deps,
    db,
    nowMs: deps.nowMs ?? (() => performance.now()),
    pace: { ...botPace, ...deps.pace },
    chats: createChatStore(db),
    configurations: createConfigurationStore(db),
    setups: createSetupStore(db),
    outbox: createDeliveryStore(db),
    service,
    botIdentity,
    isOn: async () => {
      const row = await service.read();
      return row.wanted === 'active' && botIdentity.isSame(row);
    },
    announce: () => changes.publish(topic),
    onServiceChange: (run) => changes.subscribe(topic, run),
  };
}
