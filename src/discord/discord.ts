import type { Kysely } from 'kysely';

import { createSameBot, createServiceStore, type SameBot, switchService } from '../bot-service/service-store.ts';
import type { Config } from '../config.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ActivityListener } from '../market/contract.ts';
import type { PaidPayout, Posting } from '../payouts/payouts-contract.ts';
import type { Logger } from '../process/logger.ts';
import type { Purge } from '../retention/purge.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { type DiscordPace, discordPace, otherBot, readStatus, tokenBotId } from './bot.ts';
import { discordRoutes } from './admin/http.ts';
import { unverifiedRoute } from './admin/role-reports.ts';
import { channelPostJob, createDiscordPosting } from './channel-posts.ts';
import type { AuditTrail, ChannelVoice, Clock, Ownership } from './ports.ts';
import { tellPaid } from './roles/payout-messages.ts';
import { collectionWatch } from './roles/role-jobs.ts';
import { createRoles } from './roles/roles.ts';
import { collectionWatchJob, listener, type Watching } from './servers/guild-config-store.ts';
import { createConfiguring } from './servers/configuring.ts';
import { createGuildMemberStore } from './servers/guild-member-store.ts';
import { createGuildRegister } from './servers/guild-register.ts';
import { createGuildStore, discordPurges } from './servers/guild-store.ts';
import { createVerification } from './verify/verification.ts';

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

const serviceTopic = 'discord service';
/** Another role was chosen: the copy that holds the gateway asks Discord who has it. */
const unseenTopic = 'discord members unseen';

/** The community-server bot (specification 2 to 9, rulings R5): holders get their role, and no one loses it by mistake. */
export async function createDiscord(deps: DiscordDeps): Promise<Discord> {
  const { settings, db, changes } = deps;
  const store = createServiceStore(db, 'discord');
  const sameBot = createSameBot({ store, tokenId: tokenBotId(settings.botToken), otherBot });
  const pace = { ...discordPace, ...deps.pace };
  const calls = await loadCalls(settings, sameBot);
  const { platform, voice, readMembers } = calls ?? { platform: null, voice: null, readMembers: null };
  const { collectionType, recheckIntervalMs: recheckMs } = settings;
  const roles = createRoles({ ...deps, platform, collectionType, recheckMs });
  const guilds = createGuildStore(db);
  const links = createVerification({ ...deps, roles, guilds });
  const configuring = createConfiguring({
    ...deps,
    roles,
    announceUnseen: () => changes.publish(unseenTopic),
    defaults: { nftContract: collectionType, nftName: settings.productName },
  });
  const announce = (): Promise<void> => changes.publish(serviceTopic);
  const onNews = (run: () => void): (() => void) => changes.subscribe(serviceTopic, run);
  const parts = { ...deps, store, sameBot, pace, roles, guilds, links, configuring, announce, onNews };
  const status = () => readStatus({ store, guilds, hasToken: calls !== null });
  const routes = [...adminRoutes(parts, calls, status), ...roles.routes, unverifiedRoute({ db, readMembers })];
  return {
    routes: [...routes, ...links.routes],
    listener: calls === null ? null : roles.listener,
    purges: discordPurges(db, deps),
    voice,
    posting: createDiscordPosting({ db, guilds, status }),
    tellPaid: calls === null ? null : (payout) => tellPaid(db, payout),
    lastError: async () => (await store.read()).lastError?.message ?? null,
    ...(calls === null ? { start: () => {}, stop: async () => {} } : createBot(parts, calls)),
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

interface Parts extends DiscordDeps {
  readonly store: ReturnType<typeof createServiceStore>;
  readonly sameBot: SameBot;
  readonly pace: DiscordPace;
  readonly roles: ReturnType<typeof createRoles>;
  readonly guilds: ReturnType<typeof createGuildStore>;
  readonly links: ReturnType<typeof createVerification>;
  readonly configuring: ReturnType<typeof createConfiguring>;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

/** Everything that speaks with Discord; null: there is no token, and so no bot. */
type Calls = Awaited<ReturnType<typeof loadCalls>>;

/** discord.js takes 50 MB and a third of a second: it is only loaded with a token. */
async function loadCalls({ botToken, apiUrl }: DiscordDeps['settings'], sameBot: SameBot) {
  if (botToken === null) return null;
  const { createDiscordCalls } = await import('./gateway/discord-service.ts');
  return createDiscordCalls({ sameBot, connection: { token: botToken, apiUrl } });
}

function adminRoutes(parts: Parts, calls: Calls, status: () => ReturnType<typeof readStatus>): readonly Route[] {
  const { settings, watching, pace } = parts;
  const switching = {
    ...parts,
    bot: 'discord',
    hasToken: calls !== null,
    settleMs: pace.settleMs,
    setPaused: (isPaused: boolean, trx: Parameters<Watching['setPaused']>[2]) =>
      watching.setPaused(listener, isPaused, trx),
  } as const;
  return discordRoutes({
    ...parts,
    installation: settings,
    status,
    switchTo: (wanted, actor) => switchService(switching, wanted, actor),
  });
}

/** The bot itself, and its work besides the roles. */
function createBot(parts: Parts, calls: NonNullable<Calls>): Pick<Discord, 'start' | 'stop'> {
  const { settings, db, jobs, changes } = parts;
  jobs.add(collectionWatchJob(parts));
  jobs.add(channelPostJob({ ...parts, voice: calls.voice, checkBot: parts.sameBot.check }));
  const service = calls.createService({
    ...parts,
    publicUrl: settings.publicUrl,
    members: createGuildMemberStore(db),
    register: createGuildRegister(parts),
    onUnseen: (run) => changes.subscribe(unseenTopic, run),
  });
  return {
    start: () => {
      // Collections that the marketplace could not be asked for may be known now.
      jobs.send(collectionWatch, {}).catch(() => {});
      service.start();
    },
    stop: () => service.stop(),
  };
}
