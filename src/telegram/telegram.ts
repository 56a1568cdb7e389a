import { hostsOfMarketHere } from '../sources/pictures/download-image.ts';
import type { Config } from '../config.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Trx } from '../db/transaction.ts';
import { createSameBot, createServiceStore, switchService } from '../bot-service/service-store.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { readStatus } from './admin/bot-status.ts';
import { createConfigurationList } from './admin/configuration-list.ts';
import { deliveryRoutes } from './admin/delivery-routes.ts';
import { telegramRoutes } from './admin/routes.ts';
import type { TelegramSettings } from './bot/bot-deps.ts';
import { type BotPace, botPace, createBotService } from './bot/bot-service.ts';
import { sampleFor } from './commands/test.ts';
import { createSetupStore } from './commands/setup-store.ts';
import { createChatStore } from './configs/chat-store.ts';
import { createConfigurationStore } from './configs/configuration-store.ts';
import { listenerName } from './configs/configuring.ts';
import { telegramPurges } from './configs/purges.ts';
import { createDeliveries, type DeliveriesOptions } from './deliveries.ts';
import { eventsInUse } from './notify/delivery-listener.ts';
import { createTelegramPosting } from './notify/posting.ts';
import { otherBot, tokenBotId } from './send/bot-api.ts';
import { createSuiPrice } from './sui-price.ts';

export interface TelegramDeps extends Omit<DeliveriesOptions, 'settings' | 'limits' | 'isOn'> {
  readonly settings: TelegramSettings;
  /** Of the database, for the bot's lock. May contain a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  /** For the bot's updates, and recaps. */
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  /** Only tests change these. */
  readonly pace?: Partial<BotPace>;
  readonly deliveryLimits?: DeliveriesOptions['limits'];
}

/** The group-chat bot (specification 2 to 9, rulings R4): commands, notifications, and the admin calls. */
export function createTelegram(deps: TelegramDeps) {
  const parts = createParts(deps);
  const { deliveries, store } = parts;
  const { botToken } = deps.settings;
  const service = botToken === null ? null : createBotService({ ...parts, settings: { ...deps.settings, botToken } });
  if (service !== null) deps.jobs.add(deliveries.recaps);
  return {
    routes: [...adminRoutes(parts), ...sendingRoutes(parts), ...(service?.routes ?? [])],
    /** null without a bot, so that nothing is read in vain. */
    listener: service === null ? null : deliveries.listener,
    purges: telegramPurges(deps.database, deps),
    /** Which of these events are still to be posted. */
    eventsInUse: (eventIds: readonly bigint[], trx: Trx) => eventsInUse(trx, eventIds),
    /** Plain text to a chat, past the queue. */
    say: deliveries.say,
    posting: createTelegramPosting({ ...parts, idleReason: () => idleReason(parts) }),
    /** Telegram's own words for the bot's last failure; null: none. */
    lastError: async () => (await store.read()).lastError?.message ?? null,
    /** Restores the bot's last state. */
    start: () => service?.start(),
    /** Resolves when this copy sends nothing any more; another copy may take over at once. */
    stop: async () => service?.stop(),
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

function createParts(deps: TelegramDeps) {
  const { settings, database: db, changes } = deps;
  const store = createServiceStore(db, 'telegram');
  const sameBot = createSameBot({ store, tokenId: tokenBotId(settings.botToken), otherBot });
  const stores = {
    db,
    store,
    chats: createChatStore(db),
    configurations: createConfigurationStore(db),
    setups: createSetupStore(db),
  };
  return {
    ...deps,
    ...stores,
    sameBot,
    deliveries: createDeliveries({
      ...deps,
      isOn: async () => {
        const service = await store.read();
        return service.wanted === 'active' && sameBot.isSame(service);
      },
      limits: deps.deliveryLimits ?? {},
    }),
    pace: { ...botPace, ...deps.pace },
    announce: (): Promise<void> => changes.publish(topic),
    onNews: (run: () => void): (() => void) => changes.subscribe(topic, run),
  };
}
type Parts = ReturnType<typeof createParts>;

const adminRoutes = (parts: Parts): readonly Route[] => {
  const { settings, db, tracking, pace } = parts;
  const hasToken = settings.botToken !== null;
  const switching = { ...parts, hasToken, settleMs: pace.settleMs };
  const setPaused = (isPaused: boolean, trx: Trx): Promise<void> => tracking.setPaused(listenerName, isPaused, trx);
  return telegramRoutes({
    ...parts,
    status: () => readStatus({ ...parts, deliveries: parts.deliveries.store, hasToken, mode: settings.mode }),
    switchTo: (wanted, actor) => switchService({ ...switching, bot: 'telegram', setPaused }, wanted, actor),
    list: createConfigurationList(db, tracking),
  });
};

const sendingRoutes = (parts: Parts): readonly Route[] =>
  deliveryRoutes({
    ...parts,
    deliveries: parts.deliveries.store,
    sampleOf: (configuration) => sampleFor(parts, configuration),
    idleReason: () => idleReason(parts),
  });

/** null: messages are sent. */
async function idleReason({ settings, store }: Pick<Parts, 'settings' | 'store'>): Promise<string | null> {
  if (settings.botToken === null) return 'There is no bot token: set TELEGRAM_BOT_TOKEN and restart the product.';
  const { wanted } = await store.read();
  return wanted === 'active' ? null : 'The bot is off. Initialize it first.';
}
