import type { Kysely } from 'kysely';

import type { ChangeSignal } from '../platform/change-signal.ts';
import type { LeaseTables, Leases } from '../platform/leases.ts';
import type { Logger } from '../platform/logger.ts';
import type { Route } from '../server/route.ts';
import { createChatStore } from './adapters/chat-store.ts';
import { createConfigurationList } from './adapters/configuration-list.ts';
import { createConfigurationStore } from './adapters/configuration-store.ts';
import { createServiceStore } from './adapters/service-store.ts';
import { createSetupStore } from './adapters/setup-store.ts';
import type { TelegramTables } from './adapters/tables.ts';
import { createConfiguring } from './configuring.ts';
import { createDeliveries, type Deliveries, type DeliveriesOptions } from './delivery/deliveries.ts';
import { telegramRoutes } from './http.ts';
import { deliveryRoutes } from './http-deliveries.ts';
import type { AuditTrail, Clock, CollectionHistory, CollectionTracking, SuiPrice } from './ports.ts';
import { sampleFor } from './sample-for.ts';
import { type BotPace, botPace, createBotService } from './service/bot-service.ts';
import { readStatus } from './service/read-status.ts';
import { switchService } from './service/switch-service.ts';
import { createSetHexId } from './set-hex-id.ts';

export interface TelegramDeps {
  readonly settings: {
    /** null: no TELEGRAM_BOT_TOKEN. A normal state: everything but the bot works (rulings R1). */
    readonly botToken: string | null;
    readonly apiUrl: string;
    readonly mode: 'polling' | 'webhook';
    /** Without a trailing slash. */
    readonly publicUrl: string;
    readonly explorerUrl: string;
    /** `host:port`, or `host:*`, of those whose pictures may come over http and from a private address. */
    readonly trustedImageHosts: readonly string[];
  };
  readonly db: Kysely<TelegramTables & LeaseTables>;
  readonly leases: Leases;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly tracking: CollectionTracking;
  readonly history: CollectionHistory;
  readonly prices: SuiPrice;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this copy of the product: no two that run may have the same. */
  readonly copy: string;
  /** Only tests change these. */
  readonly pace?: Partial<BotPace>;
  readonly deliveryLimits?: DeliveriesOptions['limits'];
}

export interface Telegram {
  readonly routes: readonly Route[];
  /** Hears what happens in collections; null without a bot, so that nothing is read for nobody. */
  readonly listener: Deliveries['listener'] | null;
  /** The bot goes on as it was when the product last ran. */
  start(): void;
  /** Nothing of this copy is on its way afterwards; another copy may take over at once. */
  stop(): Promise<void>;
}

const topic = 'telegram service';

/** The group-chat bot (specification 2 to 9, rulings R4): commands, notifications, and the admin calls. */
export function createTelegram(deps: TelegramDeps): Telegram {
  const { settings, db, changes, tracking, history, prices, audit, clock, log } = deps;
  const pace: BotPace = { ...botPace, ...deps.pace };
  const { botToken, apiUrl, explorerUrl } = settings;
  const hasToken = botToken !== null;
  const chats = createChatStore(db);
  const configurations = createConfigurationStore(db);
  const setups = createSetupStore(db);
  const store = createServiceStore(db, deps.leases);
  const deliveries = createDeliveries({
    ...deps,
    settings: { ...settings, bot: botToken === null ? null : { token: botToken, apiUrl } },
    limits: deps.deliveryLimits ?? {},
  });
  const { dropPending } = deliveries.store;
  const configuring = createConfiguring({ db, configurations, chats, setups, tracking, audit, dropPending });
  const announce = (): Promise<void> => changes.publish(topic);
  const onNews = (run: () => void): (() => void) => changes.subscribe(topic, run);
  const statusOf = () =>
    readStatus({ store, configurations, pending: () => deliveries.store.counts(), hasToken, mode: settings.mode });
  const service =
    botToken === null
      ? null
      : createBotService({
          ...{ db, store, chats, configurations, setups, configuring, tracking, history, prices, clock, log },
          settings: { ...settings, botToken, explorerUrl },
          leases: deps.leases,
          deliveries,
          pace,
          announce,
          onNews,
        });

  const routes = [
    ...telegramRoutes({
      status: statusOf,
      switchTo: (wanted, actor) =>
        switchService(
          { db, store, tracking, audit, hasToken, announce, onNews, clock, settleMs: pace.settleMs },
          wanted,
          actor,
        ),
      list: createConfigurationList(db, tracking),
      configuring,
      setHexId: createSetHexId({ configurations, configuring, tracking }),
    }),
    ...deliveryRoutes({
      ...{ db, configurations, chats, audit },
      deliveries: deliveries.store,
      sampleOf: (configuration) => sampleFor({ tracking, history, prices, explorerUrl }, configuration),
      idleReason: async () => {
        if (!hasToken)
          return 'There is no bot token, so nothing can be sent. Set TELEGRAM_BOT_TOKEN and restart the product.';
        return (await store.read()).wanted === 'active'
          ? null
          : 'The bot is off. Initialize it first, then send a test.';
      },
      wake: deliveries.wake,
    }),
    ...(service?.routes ?? []),
  ];

  return {
    routes,
    listener: hasToken ? deliveries.listener : null,
    start: () => {
      deliveries.purge.start();
      service?.start();
    },
    stop: async () => {
      await Promise.all([service?.stop(), deliveries.purge.stop(), deliveries.stop()]);
    },
  };
}
