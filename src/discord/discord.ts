import { createSameBot } from '../bot-service/same-bot.ts';
import { createServiceStore } from '../bot-service/service-store.ts';
import type { Route } from '../http/route.ts';
import type { ActivityListener } from '../market/contract.ts';
import type { Purge } from '../retention/purge.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { unverifiedRoutes } from './admin/http-members.ts';
import { createUnverifiedHolders } from './admin/unverified-holders.ts';
import { type BotSideDeps, createBotSide } from './bot-side.ts';
import { loadDiscord } from './gateway/load-discord.ts';
import { ofSameBot, otherBot, tokenBotId } from './gateway/other-bot.ts';
import type { ChannelVoice } from './ports.ts';
import { createRoles } from './roles/roles.ts';
import { discordPurges } from './servers/guild-purge.ts';
import { createGuildStore } from './servers/guild-store.ts';
import { createVerification } from './verify/verification.ts';

export interface DiscordDeps extends Omit<BotSideDeps, 'settings' | 'store' | 'sameBot' | 'roles' | 'links' | 'calls'> {
  readonly settings: BotSideDeps['settings'] & {
    /** Wallets that verify must be on the same. */
    readonly network: string;
    readonly recheckIntervalMs: number;
  };
  readonly sessionSecret: string;
  readonly sui: Pick<SuiClient, 'verifyPersonalMessage'>;
  /** Awaited between pieces of long work; left out: this process serves no one else. */
  readonly stepBack?: (workedMs: number) => Promise<void>;
}

export interface Discord {
  readonly routes: readonly Route[];
  /** Receives purchases and sales; null without a bot, so that nothing is read in vain. */
  readonly listener: ActivityListener | null;
  /** Data kept for a limited time (src/shared/retention.ts). */
  readonly purges: readonly Purge[];
  /** Sends plain text to a channel; null without a bot. */
  readonly voice: ChannelVoice | null;
  /** The bot's last error, in words; null: none. */
  lastError(): Promise<string | null>;
  /** The bot resumes its state of the last run. */
  start(): void;
  /** Nothing of this copy runs afterwards; another copy may take over at once. */
  stop(): Promise<void>;
}

/** The community-server bot (specification 2 to 9, rulings R5): holders get their role, and no one loses it by mistake. */
export async function createDiscord(deps: DiscordDeps): Promise<Discord> {
  const { settings, db } = deps;
  const { botToken, collectionType, recheckIntervalMs: recheckMs } = settings;
  const store = createServiceStore(db, 'discord');
  const sameBot = createSameBot({ store, tokenId: tokenBotId(botToken), otherBot });
  const calls = await loadDiscord(settings);
  const platform = calls && ofSameBot(calls.platform, sameBot.check);
  const roles = createRoles({ ...deps, platform, collectionType, recheckMs });
  const verification = createVerification({ ...deps, roles, guilds: createGuildStore(db) });
  const unverified = createUnverifiedHolders({ ...deps, readMembers: calls && calls.readMembers });
  const bot = createBotSide({ ...deps, store, sameBot, roles, links: verification, calls });
  return {
    routes: [...bot.routes, ...roles.routes, ...unverifiedRoutes(unverified), ...verification.routes],
    listener: calls && roles.listener,
    purges: discordPurges(db, deps),
    voice: calls && calls.voice,
    lastError: async () => (await store.read()).lastError?.message ?? null,
    start: bot.start,
    stop: bot.stop,
  };
}
