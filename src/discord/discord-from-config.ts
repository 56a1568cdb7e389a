import type { Config } from '../config.ts';
import { createDiscord, type Discord, type DiscordDeps } from './discord.ts';
import { createSuiSignatures } from './verify/sui-signatures.ts';

interface FromConfigDeps extends Omit<DiscordDeps, 'settings' | 'db' | 'watching' | 'signatures'> {
  readonly database: DiscordDeps['db'];
  readonly activity: DiscordDeps['watching'];
  readonly sui: Parameters<typeof createSuiSignatures>[0];
  readonly productName: string;
}

/** The community-server bot of this environment, with its own view of the activity pipeline. */
export const discordFrom = (
  config: Config,
  { database, activity, sui, productName, ...deps }: FromConfigDeps,
): Promise<Discord> =>
  createDiscord({
    ...deps,
    db: database,
    watching: activity,
    signatures: createSuiSignatures(sui),
    settings: {
      botToken: config.DISCORD_BOT_TOKEN,
      apiUrl: config.DISCORD_API_URL,
      publicUrl: config.PUBLIC_URL,
      productName,
      collectionType: config.COLLECTION_TYPE,
      network: config.SUI_NETWORK,
      recheckIntervalMs: config.RECHECK_INTERVAL_MS,
      hasMarketKey: config.MARKET_API_USER !== null && config.MARKET_API_KEY !== null,
    },
  });
