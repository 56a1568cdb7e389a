import type { Kysely } from 'kysely';

import type { ActivityListener } from '../market/contract.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import { createSameBot, type SameBot } from '../bot-service/same-bot.ts';
import { createServiceStore } from '../bot-service/service-store.ts';
import type { Logger } from '../process/logger.ts';
import type { Purge } from '../retention/purge.ts';
import type { Route } from '../http/route.ts';
import type { Watching } from './servers/collection-watching.ts';
import { discordPurges } from './servers/guild-purge.ts';
import { createGuildStore } from './servers/guild-store.ts';
import { otherBot, tokenBotId } from './gateway/other-bot.ts';
import type { Database } from '../db/schema.ts';
import { type BotSideDeps, createBotSide } from './bot-side.ts';
import type { AuditTrail, ChannelVoice, Clock, Ownership, SignatureCheck } from './ports.ts';
import { explainMember } from './roles/explaining.ts';
import { createRoles } from './roles/roles.ts';
import { unverifiedRoutes } from './admin/unverified-holders.ts';
import type { DiscordPace } from './gateway/discord-pace.ts';
import type { GuildReading } from './verify/verification-ports.ts';
import { createVerification } from './verify/verification.ts';
import { unlinkRoutes } from './admin/http-wallets.ts';

export interface DiscordDeps {
  readonly settings: BotSideDeps['settings'] & {
    /** Wallets that verify must be on the same. */
    readonly network: string;
    readonly recheckIntervalMs: number;
  };
  readonly sessionSecret: string;
  readonly db: Kysely<Database>;
  /** Of the product's database. May carry a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  readonly watching: Watching;
  readonly signatures: SignatureCheck;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Awaited between pieces of long work; left out: this process serves no one else. */
  readonly stepBack?: (workedMs: number) => Promise<void>;
  /** Only tests change these. */
  readonly pace?: Partial<DiscordPace>;
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
  const { settings, db, sessionSecret } = deps;
  const { botToken, collectionType, recheckIntervalMs } = settings;
  const store = createServiceStore(db, 'discord');
  const sameBot = createSameBot({ store, tokenId: tokenBotId(botToken), otherBot });
  const { platform, voice, readMembers } = await loadRest(settings, sameBot);
  const roles = createRoles({
    ...deps,
    platform,
    settings: { collectionType, recheckMs: recheckIntervalMs },
  });
  const verification = createVerification({
    ...deps,
    settings: { ...settings, sessionSecret },
    linking: roles,
    guilds: readingOf(db),
  });
  const explaining = { db, collectionType, recheckMs: recheckIntervalMs };
  const unlinking = unlinkRoutes({
    unlinkWallet: (guildId, userId, wallet, by) => roles.unlinkWallet(guildId, userId, wallet, by),
    explain: (guildId, userId) => explainMember(explaining, guildId, userId, 'admin'),
  });
  const bot = await createBotSide({ ...deps, store, sameBot, roles, links: verification });
  return {
    routes: [
      ...bot.routes,
      ...roles.routes,
      ...unlinking,
      ...unverifiedRoutes({ ...deps, readMembers }),
      ...verification.routes,
    ],
    listener: botToken === null ? null : roles.listener,
    purges: discordPurges(db, deps),
    voice,
    lastError: () => bot.lastError(),
    start: () => bot.start(),
    stop: () => bot.stop(),
  };
}

/** discord.js is only loaded with a token. */
async function loadRest({ botToken: token, apiUrl }: DiscordDeps['settings'], sameBot: SameBot) {
  if (token === null) return { platform: null, voice: null, readMembers: null };
  const { createRolePlatform, createChannelVoice, createMemberList } = await import('./gateway/rest-calls.ts');
  const options = { token, apiUrl };
  return {
    platform: createRolePlatform({ ...options, checkBot: sameBot.check }),
    voice: createChannelVoice(options),
    readMembers: createMemberList(options),
  };
}

/** A server as verification needs to know it. */
const readingOf = (db: Kysely<Database>): GuildReading => {
  const guilds = createGuildStore(db);
  return {
    readGuild: async (guildId) => {
      const guild = await guilds.read(guildId);
      if (guild === null) return null;
      const { name, isPresent, config, roles } = guild;
      // A deleted role counts as none.
      const isSetUp = roles.some(({ id }) => id === config?.roleId);
      return { name, isPresent, nftName: config?.nftName ?? null, isSetUp };
    },
  };
};
