import type { Kysely } from 'kysely';

import { typedTransaction } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createSameBot } from '../bot-service/same-bot.ts';
import { switchService } from '../bot-service/switch-service.ts';
import type { Purge } from '../retention/purge.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';
import { otherBot, tokenBotId } from './send/bot-api.ts';
import { eventsInUse } from './notify/listening-store.ts';
import { createConfigurationList } from './admin/configuration-list.ts';
import { deliveryRoutes } from './admin/delivery-routes.ts';
import { auditedSwitch, readMarketOutage, readStatus } from './admin/bot-status.ts';
import { telegramRoutes } from './admin/routes.ts';
import { type BotPace, botPace, type BotService, createBotService } from './bot/bot-service.ts';
import { createServiceStore } from './bot/service-store.ts';
import { sampleFor } from './commands/test.ts';
import { createSetupStore } from './commands/setup-store.ts';
import { createChatStore } from './configs/chat-store.ts';
import { createConfigurationStore } from './configs/configuration-store.ts';
import { createConfiguring } from './configs/configuring.ts';
import { telegramPurges } from './configs/purges.ts';
import { createSetHexId } from './configs/set-hex-id.ts';
import { createDeliveries, type Deliveries, type DeliveriesOptions } from './deliveries.ts';

export interface TelegramDeps extends Omit<DeliveriesOptions, 'settings' | 'limits' | 'isOn'> {
  readonly settings: {
    /** null: no TELEGRAM_BOT_TOKEN. A normal state: everything but the bot works (rulings R1). */
    readonly botToken: string | null;
    readonly apiUrl: string;
    readonly mode: 'polling' | 'webhook';
    /** Without a trailing slash. */
    readonly publicUrl: string;
    readonly explorerUrl: string;
    /** TRACKER_POLL_MAX_MS. */
    readonly pollMaxMs: number;
    /** `host:port`, or `host:*`, of hosts whose pictures may come over http and from a private address. */
    readonly trustedImageHosts: readonly string[];
  };
  readonly database: Kysely<Database>;
  /** For the bot's updates, and recaps. */
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  /** Of the product's database. May contain a password: never logged. */
  readonly url: string;
  /** Only tests change these. */
  readonly pace?: Partial<BotPace>;
  readonly deliveryLimits?: DeliveriesOptions['limits'];
}

export interface Telegram {
  readonly routes: readonly Route[];
  /** Receives what happens in collections; null without a bot, so that nothing is read in vain. */
  readonly listener: Deliveries['listener'] | null;
  /** What it keeps for a limited time (src/shared/retention.ts). */
  readonly purges: readonly Purge[];
  /** Which of these events are still to be posted. */
  eventsInUse(eventIds: readonly bigint[], transaction: OpenTransaction): Promise<ReadonlySet<bigint>>;
  /** Plain text to a chat, within Telegram's limits. */
  readonly say: Deliveries['say'];
  /** Telegram's own words for the bot's last failure; null: none. */
  lastError(): Promise<string | null>;
  /** Restores the bot's last state. */
  start(): void;
  /** Resolves when every question received by this copy is answered. */
  idle(): Promise<void>;
  /** Resolves when this copy sends nothing any more; another copy may take over at once. */
  stop(): Promise<void>;
}

const topic = 'telegram service';

/** The group-chat bot (specification 2 to 9, rulings R4): commands, notifications, and the admin calls. */
export function createTelegram(deps: TelegramDeps): Telegram {
  const parts = createParts(deps);
  const { deliveries } = parts;
  const service = createService(deps, parts);
  if (service !== null) deps.jobs.add(deliveries.recaps);
  return {
    routes: [...adminRoutes(deps, parts), ...sendingRoutes(deps, parts), ...(service?.routes ?? [])],
    listener: deps.settings.botToken === null ? null : deliveries.listener,
    purges: telegramPurges(deps.database, deps),
    eventsInUse: (eventIds, opened) => eventsInUse(typedTransaction(opened), eventIds),
    say: deliveries.say,
    lastError: async () => (await parts.store.read()).lastError?.message ?? null,
    start: () => service?.start(),
    idle: async () => service?.idle(),
    stop: async () => {
      await Promise.all([service?.stop(), deliveries.stop()]);
    },
  };
}

function createParts(deps: TelegramDeps) {
  const { settings, database: db, changes, tracking, history, audit } = deps;
  const { botToken, apiUrl } = settings;
  const chats = createChatStore(db);
  const configurations = createConfigurationStore(db);
  const setups = createSetupStore(db);
  const store = createServiceStore(db);
  const sameBot = createSameBot({ store, tokenId: tokenBotId(botToken), otherBot });
  const deliveries = createDeliveries({
    ...deps,
    isOn: async () => {
      const service = await store.read();
      return service.wanted === 'active' && sameBot.isSame(service);
    },
    settings: { ...settings, bot: botToken === null ? null : { token: botToken, apiUrl } },
    limits: deps.deliveryLimits ?? {},
  });
  return {
    db,
    chats,
    configurations,
    setups,
    deliveries,
    configuring: createConfiguring({ db, configurations, chats, setups, tracking, history, audit }),
    store,
    sameBot,
    pace: { ...botPace, ...deps.pace },
    announce: (): Promise<void> => changes.publish(topic),
    onNews: (run: () => void): (() => void) => changes.subscribe(topic, run),
  };
}
type Parts = ReturnType<typeof createParts>;

/** null: there is no token. */
const createService = (deps: TelegramDeps, parts: Parts): BotService | null => {
  const { botToken } = deps.settings;
  return botToken === null ? null : createBotService({ ...deps, ...parts, settings: { ...deps.settings, botToken } });
};

const adminRoutes = (deps: TelegramDeps, parts: Parts): readonly Route[] => {
  const { settings, tracking } = deps;
  const { db, configurations, configuring, deliveries, store, sameBot, pace } = parts;
  const hasToken = settings.botToken !== null;
  const pending = () => deliveries.store.counts();
  const switching = { ...deps, ...parts, hasToken, settleMs: pace.settleMs };
  return telegramRoutes({
    status: () =>
      readStatus({
        store,
        configurations,
        pending,
        marketOutage: readMarketOutage(db, tracking),
        hasToken,
        mode: settings.mode,
      }),
    switchTo: (wanted, actor) =>
      switchService({ ...switching, onSwitched: auditedSwitch({ ...deps, sameBot }, actor) }, wanted),
    list: createConfigurationList(db, tracking),
    configuring,
    setHexId: createSetHexId({ configurations, configuring, tracking }),
  });
};

const sendingRoutes = (deps: TelegramDeps, parts: Parts): readonly Route[] =>
  deliveryRoutes({
    ...deps,
    ...parts,
    deliveries: parts.deliveries.store,
    sampleOf: (configuration) => sampleFor({ ...deps, explorerUrl: deps.settings.explorerUrl }, configuration),
    idleReason: async () => {
      if (deps.settings.botToken === null)
        return 'There is no bot token: set TELEGRAM_BOT_TOKEN and restart the product.';
      const { wanted } = await parts.store.read();
      return wanted === 'active' ? null : 'The bot is off. Initialize it first, then send a test.';
    },
  });
