import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { watchingFor } from '../../src/discord/adapters/collection-watching.ts';
import { createSuiSignatures } from '../../src/discord/adapters/sui-signatures.ts';
import type { DiscordTables } from '../../src/discord/adapters/tables.ts';
import { createDiscord, type Discord, type DiscordDeps } from '../../src/discord/discord.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type BotCopy, type GroundDeps, runOnGround, startCopyGround } from './copy-ground.ts';

/** One copy of the product, as far as the community-server bot goes, with its calls over real HTTP. */
export interface DiscordCopy extends BotCopy {
  readonly discord: Discord;
}

export interface DiscordCopyOptions extends Partial<DiscordDeps['settings']> {
  readonly pace?: DiscordDeps['pace'];
  readonly name?: string;
  /** Its way to the database; the direct one when left out. */
  readonly databaseUrl?: string;
  /** Where its HTTP listens; any free port when left out. */
  readonly port?: number;
}

interface CopyDeps extends DiscordCopyOptions, Omit<GroundDeps, 'name'> {
  readonly databaseUrl: string;
  readonly urls: Pick<Sandbox['urls'], 'sui' | 'market' | 'discord'>;
}

export async function startDiscordCopy(deps: CopyDeps): Promise<DiscordCopy> {
  const { databaseUrl: _databaseUrl, urls, facts, write: _write, pace, name: _name, port = 0, ...settings } = deps;
  const ground = await startCopyGround<DiscordTables>(deps, 6_000);
  const { db, leases, changes, collections, sui, audit, log, copy } = ground;
  const discord = await createDiscord({
    settings: {
      botToken: facts.discordBotToken,
      apiUrl: `${urls.discord}/api`,
      publicUrl: 'http://localhost:3000',
      productName: 'Sui Rocks',
      collectionType: facts.collectionType,
      network: 'mainnet',
      recheckIntervalMs: 3_600_000,
      hasMarketKey: true,
      ...settings,
    },
    sessionSecret: 'a secret of at least 32 characters',
    db,
    leases,
    changes,
    ownership: collections.ownership,
    watching: watchingFor(collections.activity),
    signatures: createSuiSignatures(sui),
    audit: audit.trail,
    clock: systemClock,
    log,
    copy,
    ...(pace !== undefined && { pace }),
  });
  return { ...(await runOnGround(ground, discord, port)), discord };
}
