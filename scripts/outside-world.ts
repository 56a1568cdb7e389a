import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { Group } from './run-together.ts';

const announcement = z.object({
  urls: z.object({
    sui: z.url(),
    archive: z.url(),
    market: z.url(),
    prices: z.url(),
    pricesFallback: z.url(),
    telegram: z.url(),
    discord: z.url(),
    walletBrowser: z.url(),
    console: z.url(),
  }),
  facts: z.object({
    treasuryAddress: z.string(),
    collectionType: z.string(),
    network: z.string(),
    marketUser: z.string(),
    marketKey: z.string(),
    telegramBotToken: z.string(),
    telegramBotUsername: z.string(),
    discordBotToken: z.string(),
    discordBotUsername: z.string(),
    discordBotId: z.string(),
  }),
});

export type OutsideWorld = z.infer<typeof announcement>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts the sandbox on free ports; resolves with the addresses and facts from its first line of output. Its world starts afresh
 * each time, with a new run mark in its ids: the product keeps its data folder and would mistake repeated ids for known ones.
 * Its browser with a wallet shows `siteUrl`.
 */
export async function startOutsideWorld(
  group: Group,
  { env, siteUrl, isMultisig }: { readonly env: Environment; readonly siteUrl: string; readonly isMultisig: boolean },
): Promise<OutsideWorld> {
  const { promise: firstLine, resolve } = Promise.withResolvers<string>();
  const args = ['sandbox/main.ts', '--living-market', '--run-mark', randomUUID(), '--product-url', siteUrl];
  if (isMultisig) args.push('--treasury', 'multisig');
  group.start({ name: 'The sandbox', args, env, onLine: resolve });
  return announcement.parse(JSON.parse(await firstLine));
}

/**
 * The product's environment (rulings R1): the sandbox as its outside world, the embedded database in `dataDir`.
 * A database or provider key set in the shell is left out; `PORT`, `HOST`, `PUBLIC_URL` and the links are passed on.
 */
export function productEnvironment(
  shell: Environment,
  world: OutsideWorld,
  dataDir: string,
  adminPassword: string,
): Environment {
  return {
    ...shell,
    DATABASE_URL: undefined,
    SUI_GRPC_HEADERS: undefined,
    DATA_DIR: dataDir,
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: adminPassword,
    SUI_NETWORK: world.facts.network,
    SUI_GRPC_URL: world.urls.sui,
    SUI_ARCHIVE_URL: world.urls.archive,
    MARKET_API_URL: world.urls.market,
    MARKET_API_USER: world.facts.marketUser,
    MARKET_API_KEY: world.facts.marketKey,
    PRICES_API_URL: world.urls.prices,
    PRICES_FALLBACK_URL: world.urls.pricesFallback,
    TREASURY_ADDRESS: world.facts.treasuryAddress,
    COLLECTION_TYPE: world.facts.collectionType,
    TELEGRAM_API_URL: world.urls.telegram,
    TELEGRAM_BOT_TOKEN: world.facts.telegramBotToken,
    TELEGRAM_MODE: 'polling',
    DISCORD_API_URL: `${world.urls.discord}/api`,
    DISCORD_BOT_TOKEN: world.facts.discordBotToken,
    // Short intervals, so that a demo shows changes soon. The times in the README's tour follow from these.
    TREASURY_REFRESH_MS: shell['TREASURY_REFRESH_MS'] ?? '15000',
    TRACKER_POLL_MIN_MS: shell['TRACKER_POLL_MIN_MS'] ?? '5000',
    TRACKER_POLL_MAX_MS: shell['TRACKER_POLL_MAX_MS'] ?? '8000',
    RECHECK_INTERVAL_MS: shell['RECHECK_INTERVAL_MS'] ?? '60000',
  };
}
