import type { Kysely } from 'kysely';

import type { Audit } from './audit/audit.ts';
import type { Config } from './config.ts';
import { watchingFor } from './discord/servers/collection-watching.ts';
import type { Database } from './db/schema.ts';
import { createDiscord, type Discord, type DiscordDeps } from './discord/discord.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Collections } from './market/collections.ts';
import type { ChangeSignal } from './db/change-signal.ts';
import type { Logger } from './process/logger.ts';
import { systemClock as clock } from './process/system-clock.ts';
import { productName } from './site/content.ts';
import { trackingFor } from './telegram/configs/collection-tracking.ts';
import type { TelegramTables } from './telegram/tables.ts';
import { createTelegram, type Telegram } from './telegram/telegram.ts';
import { createSuiPrice } from './telegram/sui-price.ts';

interface BotsDeps {
  readonly config: Config;
  readonly platform: {
    readonly db: Kysely<TelegramTables>;
    readonly database: Kysely<Database>;
    readonly url: string;
    readonly changes: ChangeSignal;
    readonly jobs: Jobs;
    readonly sessionSecret: string;
    readonly copy: string;
  };
  readonly clients: {
    readonly sui: DiscordDeps['sui'];
    readonly prices: Parameters<typeof createSuiPrice>[0];
  };
  readonly collections: Pick<Collections, 'activity' | 'ownership'>;
  readonly audit: Audit;
  readonly log: Logger;
  /** src/process/visitors-first.ts. */
  readonly stepBack: (workedMs: number) => Promise<void>;
}

/** Both bots, hearing of collections; to be made before the collections start and started after them. */
export async function createBots(deps: BotsDeps): Promise<{ readonly telegram: Telegram; readonly discord: Discord }> {
  const { config, platform, clients, collections, audit, log, stepBack } = deps;
  const { activity, ownership } = collections;
  const common = { ...platform, audit: audit.trail, clock, log };
  const telegram = createTelegram({
    ...common,
    tracking: trackingFor(activity),
    history: activity,
    prices: createSuiPrice(clients.prices, clock),
    settings: telegramSettings(config),
  });
  const discord = await createDiscord({
    ...common,
    db: platform.database,
    stepBack,
    ownership,
    watching: watchingFor(activity),
    sui: clients.sui,
    settings: discordSettings(config),
  });
  for (const { listener } of [telegram, discord]) if (listener !== null) activity.addListener(listener);
  return { telegram, discord };
}

function telegramSettings(config: Config) {
  return {
    botToken: config.TELEGRAM_BOT_TOKEN,
    apiUrl: config.TELEGRAM_API_URL,
    mode: config.TELEGRAM_MODE,
    publicUrl: config.PUBLIC_URL,
    explorerUrl: config.EXPLORER_URL,
    trustedImageHosts: hostsOfMarketHere(config.MARKET_API_URL),
  };
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A marketplace on this machine serves its pictures from its own port as well; other ports here are not trusted. */
function hostsOfMarketHere(apiUrl: string): readonly string[] {
  const { hostname, port, protocol } = new URL(apiUrl);
  const ofProtocol = protocol === 'https:' ? '443' : '80';
  return loopbackNames.includes(hostname) ? loopbackNames.map((name) => `${name}:${port || ofProtocol}`) : [];
}

function discordSettings(config: Config) {
  return {
    botToken: config.DISCORD_BOT_TOKEN,
    apiUrl: config.DISCORD_API_URL,
    publicUrl: config.PUBLIC_URL,
    productName,
    collectionType: config.COLLECTION_TYPE,
    network: config.SUI_NETWORK,
    recheckIntervalMs: config.RECHECK_INTERVAL_MS,
    hasMarketKey: config.MARKET_API_USER !== null && config.MARKET_API_KEY !== null,
  };
}
