import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { createDiscord, type Discord, type DiscordDeps } from '../../src/discord/discord.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { type BotCopy, type CopyGround, type GroundDeps, runOnGround, startCopyGround } from './copy-ground.ts';

/** One copy of the product with only the community-server bot, and its calls over real HTTP. */
export interface DiscordCopy extends BotCopy {
  readonly discord: Discord;
}

export interface DiscordCopyOptions extends Partial<DiscordDeps['config']> {
  readonly pace?: DiscordDeps['pace'];
  readonly name?: string;
  /** The database's address; the direct one when left out. */
  readonly databaseUrl?: string;
  /** The database's address for the gateway's lock only; the same when left out. */
  readonly lockUrl?: string;
  /** Where its HTTP listens; any free port when left out. */
  readonly port?: number;
}

interface CopyDeps extends DiscordCopyOptions, Omit<GroundDeps, 'name'> {
  readonly databaseUrl: string;
  readonly urls: Pick<Sandbox['urls'], 'sui' | 'market' | 'discord'>;
}

export async function startDiscordCopy(deps: CopyDeps): Promise<DiscordCopy> {
  const ground = await startCopyGround(deps, 6_000);
  const discord = await discordOn(ground, deps);
  return { ...(await runOnGround(ground, discord, deps.port ?? 0)), discord };
}

export async function discordOn(ground: CopyGround, deps: Omit<CopyDeps, 'databaseUrl' | 'write'>): Promise<Discord> {
  const { urls, facts, pace, clock = systemClock, name: _name, port: _port, lockUrl, ...config } = deps;
  const { collections, sui, audit } = ground;
  return createDiscord({
    ...ground,
    url: lockUrl ?? ground.url,
    config: {
      DISCORD_BOT_TOKEN: facts.discordBotToken,
      DISCORD_API_URL: `${urls.discord}/api`,
      PUBLIC_URL: 'http://localhost:3000',
      COLLECTION_TYPE: facts.collectionType,
      SUI_NETWORK: 'mainnet',
      RECHECK_INTERVAL_MS: 3_600_000,
      MARKET_API_USER: 'user',
      MARKET_API_KEY: 'key',
      ...config,
    },
    productName: 'Sui Rocks',
    sessionSecret: 'a secret of at least 32 characters',
    ownership: collections.ownership,
    activity: collections.activity,
    sui,
    audit: audit.trail,
    clock,
    yieldToRequests: async () => {},
    ...(pace !== undefined && { pace }),
  });
}
