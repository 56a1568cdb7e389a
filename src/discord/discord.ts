import type { Config } from '../config.ts';
import type { Kysely } from 'kysely';

import type { Trx } from '../db/transaction.ts';
import { createSameBot, type SameBot, createServiceStore, type ServiceStore } from '../bot-service/service-store.ts';
import { switchService } from '../bot-service/switch-service.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ActivityListener } from '../market/contract.ts';
import type { Logger } from '../process/logger.ts';
import type { PaidPayout, Posting } from '../payouts/announcements-contract.ts';
import type { Purge } from '../retention/purge.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { readStatus } from './admin/bot-status.ts';
import { discordRoutes } from './admin/http.ts';
import { unverifiedRoutes } from './admin/role-reports.ts';
import { type DiscordPace, discordPace } from './gateway/run-gateway.ts';
import { otherBot, tokenBotId } from './gateway/gateway-failure.ts';
import type { AuditTrail, ChannelVoice, Clock, Ownership } from './ports.ts';
import { channelPostJob, createDiscordPosting } from './posts/channel-posts.ts';
import { tellPaid } from './roles/payout-messages.ts';
import { createRoles, type Roles } from './roles/roles.ts';
import {
  collectionWatch,
  collectionWatchJob,
  listener,
  trackedIdOf,
  type Watching,
} from './servers/collection-watching.ts';
import { createConfiguring } from './servers/configuring.ts';
import { createGuildMemberStore } from './servers/guild-member-store.ts';
import { discordPurges, createGuildStore } from './servers/guild-store.ts';
import { createGuildRegister } from './servers/guild-register.ts';
import { createVerification, type Verification } from './verify/verification.ts';

export interface DiscordDeps {
  readonly settings: {
    /** null: no DISCORD_BOT_TOKEN. A normal state: everything but the bot works (rulings R1). */
    readonly botToken: string | null;
    /** Without version. */
    readonly apiUrl: string;
    /** Without a trailing slash. */
    readonly publicUrl: string;
    readonly productName: string;
    /** Canonical type of the product's own collection: the default NFT contract of a server (specification 3). */
    readonly collectionType: string;
    /** Without it no one can be said to hold nothing. */
    readonly hasMarketKey: boolean;
    /** Wallets that verify must be on the same. */
    readonly network: string;
    readonly recheckIntervalMs: number;
  };
  readonly sessionSecret: string;
  readonly db: Kysely<Database>;
  /** Of the product's database: the gateway's lock has a connection of its own. May carry a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly sui: Pick<SuiClient, 'verifyPersonalMessage'>;
  readonly ownership: Ownership;
  readonly watching: Watching;
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
  /** What the team posts in channels. */
  readonly posting: Posting;
  /** Tells members who asked for it that they were paid, once a payout; null without a bot. */
  readonly tellPaid: ((payout: PaidPayout) => Promise<void>) | null;
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
  const store = createServiceStore(db, 'discord');
  const sameBot = createSameBot({ store, tokenId: tokenBotId(settings.botToken), otherBot });
  const calls = await loadCalls({ ...deps, sameBot });
  const { platform, voice, readMembers } = calls ?? { platform: null, voice: null, readMembers: null };
  const { collectionType, recheckIntervalMs: recheckMs } = settings;
  const roles = createRoles({ ...deps, platform, collectionType, recheckMs });
  const guilds = createGuildStore(db);
  const verification = createVerification({ ...deps, roles, guilds });
  const bot = createBot({ ...deps, store, sameBot, roles, links: verification, calls });
  const unverified = unverifiedRoutes({ ...deps, readMembers });
  return {
    routes: [...bot.routes, ...roles.routes, ...unverified, ...verification.routes],
    listener: calls === null ? null : roles.listener,
    purges: discordPurges(db, deps),
    voice,
    posting: createDiscordPosting({
      db,
      guilds,
      status: () => readStatus({ store, guilds, hasToken: calls !== null }),
    }),
    tellPaid: calls === null ? null : (payout) => tellPaid(db, payout),
    lastError: async () => (await store.read()).lastError?.message ?? null,
    start: bot.start,
    stop: bot.stop,
  };
}

interface FromConfigDeps extends Omit<DiscordDeps, 'settings' | 'db' | 'watching'> {
  readonly database: DiscordDeps['db'];
  readonly activity: DiscordDeps['watching'];
  readonly productName: string;
}

/** The community-server bot of this environment, with its own view of the activity pipeline. */
export const discordFrom = (
  config: Config,
  { database, activity, productName, ...deps }: FromConfigDeps,
): Promise<Discord> =>
  createDiscord({
    ...deps,
    db: database,
    watching: activity,
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

/** Everything that speaks with Discord. discord.js takes 50 MB and a third of a second: it is only loaded with a token. */
async function loadCalls({ settings, ...deps }: DiscordDeps & { readonly sameBot: SameBot }) {
  const { botToken, apiUrl } = settings;
  if (botToken === null) return null;
  const { createDiscordCalls } = await import('./gateway/discord-service.ts');
  return createDiscordCalls({
    ...deps,
    connection: { token: botToken, apiUrl },
    pace: { ...discordPace, ...deps.pace },
  });
}

interface BotDeps extends DiscordDeps {
  readonly store: ServiceStore;
  readonly sameBot: SameBot;
  readonly roles: Roles;
  readonly links: Verification;
  /** null: there is no token, and so no bot and no panel. */
  readonly calls: Awaited<ReturnType<typeof loadCalls>>;
}

const serviceTopic = 'discord service';
/** Another role was chosen: the copy that holds the gateway asks Discord who has it. */
const unseenTopic = 'discord members unseen';

/** The bot itself, its admin calls, and the configuration of servers. */
function createBot(deps: BotDeps) {
  const { settings, jobs, calls } = deps;
  const parts = createParts(deps);
  const routes = adminRoutes(deps, parts);
  if (calls === null) return { routes, start: () => {}, stop: async () => {} };
  jobs.add(collectionWatchJob(deps));
  jobs.add(channelPostJob({ ...deps, voice: calls.voice, checkBot: deps.sameBot.check }));
  const service = calls.createService({ ...deps, ...parts, bot: { ...deps, ...parts, publicUrl: settings.publicUrl } });
  return {
    routes,
    start: () => {
      // Collections that the marketplace could not be asked for may be known now.
      jobs.send(collectionWatch, {}).catch(() => {});
      service.start();
    },
    stop: async () => {
      await Promise.all([service.stop(), calls.panels.stop()]);
    },
  };
}

function createParts(deps: BotDeps) {
  const { settings, db, changes, calls } = deps;
  const renewPanel = (guildId: string): void => void calls?.panels.renew(guildId);
  const announceUnseen = (): Promise<void> => changes.publish(unseenTopic);
  const trackedId = (nftType: string): Promise<bigint | null> => trackedIdOf(deps, nftType);
  const defaults = { nftContract: settings.collectionType, nftName: settings.productName };
  return {
    guilds: createGuildStore(db),
    members: createGuildMemberStore(db),
    register: createGuildRegister(deps),
    configuring: createConfiguring({ ...deps, announceUnseen, renewPanel, trackedIdOf: trackedId, defaults }),
    renewPanel,
    pace: { ...discordPace, ...deps.pace },
    announce: (): Promise<void> => changes.publish(serviceTopic),
    onNews: (run: () => void): (() => void) => changes.subscribe(serviceTopic, run),
    onUnseen: (run: () => void): (() => void) => changes.subscribe(unseenTopic, run),
  };
}

function adminRoutes(deps: BotDeps, parts: ReturnType<typeof createParts>): readonly Route[] {
  const { settings, watching, calls } = deps;
  const hasToken = calls !== null;
  const switching = { ...deps, ...parts, hasToken, settleMs: parts.pace.settleMs };
  const setPaused = (isPaused: boolean, trx: Trx): Promise<void> => watching.setPaused(listener, isPaused, trx);
  return discordRoutes({
    ...deps,
    ...parts,
    installation: settings,
    status: () => readStatus({ ...deps, ...parts, hasToken }),
    lookAtPanels: async (known) => (await calls?.panels.look(known)) ?? false,
    switchTo: (wanted, actor) => switchService({ ...switching, bot: 'discord', setPaused }, wanted, actor),
  });
}
