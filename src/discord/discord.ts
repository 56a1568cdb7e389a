import type { Kysely } from 'kysely';

import {
  createBotIdentity,
  createServiceStore,
  type BotIdentity,
  switchService,
} from '../bot-service/service-store.ts';
import type { Config } from '../config.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { PaidPayout } from '../payouts/payouts-contract.ts';
import type { Logger } from '../process/logger.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import { type DiscordPace, discordPace, otherBot, readStatus, tokenBotId } from './bot.ts';
import { discordRoutes, roleRoutes } from './admin/http.ts';
import { unverifiedRoute } from './admin/role-reports.ts';
import { channelPostJob, createDiscordPosting, createTextSender } from './channel-posts.ts';
import type { AuditTrail, Clock, Ownership } from './ports.ts';
import { enqueuePaidMessages } from './roles/payout-messages.ts';
import { addRoleJobs, memberRoles, tradeListener } from './roles/roles.ts';
import { listenerName, type Watching } from './servers/guild-config-store.ts';
import { createConfiguring } from './servers/configuring.ts';
import { createGuildMemberStore } from './servers/guild-member-store.ts';
import { createGuildRegister } from './servers/guild-register.ts';
import { createGuildStore, guildPurge } from './servers/guild-store.ts';
import { createVerification } from './verify/verification.ts';

export interface DiscordDeps {
  /** Without DISCORD_BOT_TOKEN everything but the bot works (rulings R1). */
  readonly config: Pick<
    Config,
    | 'DISCORD_BOT_TOKEN'
    | 'DISCORD_API_URL'
    | 'PUBLIC_URL'
    | 'COLLECTION_TYPE'
    | 'SUI_NETWORK'
    | 'RECHECK_INTERVAL_MS'
    | 'MARKET_API_USER'
    | 'MARKET_API_KEY'
  >;
  readonly productName: string;
  readonly sessionSecret: string;
  readonly database: Kysely<Database>;
  /** The product's database: the gateway's lock has its own connection. May contain a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly sui: Pick<SuiClient, 'verifyPersonalMessage'>;
  readonly ownership: Ownership;
  readonly activity: Watching;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Awaited between pieces of long work. */
  readonly yieldToRequests: (workedMs: number) => Promise<void>;
  /** Only tests change these. */
  readonly pace?: Partial<DiscordPace>;
}

/** The community-server bot (specification 2 to 9, rulings R5): holders get their role, and no one loses it by mistake. */
export async function createDiscord(deps: DiscordDeps) {
  const parts = await createParts(deps);
  const { db, calls, store, links, status } = parts;
  const unverified = unverifiedRoute({ db, readMembers: calls?.readMembers ?? null });
  const bot = calls === null ? null : createBot(parts, calls);
  return {
    routes: [...adminRoutes(parts), ...roleRoutes(parts), unverified, ...links.routes],
    /** Receives purchases and sales; null without a bot, so that nothing is read in vain. */
    listener: calls === null ? null : tradeListener,
    purge: guildPurge(db, parts),
    /** Sends plain text to a channel; null without a bot. */
    sendText: calls === null ? null : createTextSender(calls.sendToChannel),
    /** Lets the team post in channels. */
    posting: createDiscordPosting({ db, status }),
    /** Messages members who asked for it when a payout pays them, once per payout; null without a bot. */
    notifyPaid: calls === null ? null : (payout: PaidPayout) => enqueuePaidMessages(db, payout),
    /** The bot's last error, in words; null: none. */
    lastError: async () => (await store.read()).lastError?.message ?? null,
    /** Puts the bot back in the state of its last run. */
    start: () => bot?.start(),
    /** Afterwards this copy runs nothing; another copy may take over at once. */
    stop: async () => bot?.stop(),
  };
}
export type Discord = Awaited<ReturnType<typeof createDiscord>>;

/** Another role was chosen: the copy that holds the gateway asks Discord who has it. */
const rolesUnknownTopic = 'discord members unseen';

async function createParts(deps: DiscordDeps) {
  const { config, productName, database: db, activity: watching, changes } = deps;
  const { COLLECTION_TYPE: collectionType, RECHECK_INTERVAL_MS: recheckIntervalMs } = config;
  const store = createServiceStore(db, 'discord');
  const botIdentity = createBotIdentity({ store, tokenId: tokenBotId(config.DISCORD_BOT_TOKEN), otherBot });
  const calls = await loadCalls(config, botIdentity);
  const guilds = createGuildStore(db);
  const roleDeps = { ...deps, db, watching, platform: calls?.platform ?? null, collectionType, recheckIntervalMs };
  addRoleJobs(roleDeps);
  const configuring = createConfiguring({
    ...deps,
    db,
    watching,
    announceRolesUnknown: () => changes.publish(rolesUnknownTopic),
    defaults: { nftContract: collectionType, nftName: productName },
  });
  return {
    ...roleDeps,
    store,
    botIdentity,
    calls,
    guilds,
    configuring,
    pace: { ...discordPace, ...deps.pace },
    links: createVerification({ ...roleDeps, roles: memberRoles(roleDeps), guilds }),
    status: () => readStatus({ store, guilds, hasToken: calls !== null }),
  };
}
type Parts = Awaited<ReturnType<typeof createParts>>;

/** discord.js takes 50 MB and a third of a second, so it is only loaded with a token. null: no token, so no bot. */
async function loadCalls(
  { DISCORD_BOT_TOKEN: token, DISCORD_API_URL: apiUrl }: DiscordDeps['config'],
  botIdentity: BotIdentity,
) {
  if (token === null) return null;
  const { createDiscordCalls } = await import('./gateway/discord-service.ts');
  return createDiscordCalls({ token, apiUrl }, botIdentity);
}

function adminRoutes(parts: Parts): readonly Route[] {
  const { config, watching, pace, calls } = parts;
  const switching = {
    ...parts,
    bot: 'discord',
    hasToken: calls !== null,
    settleMs: pace.settleMs,
    setPaused: (isPaused: boolean, trx: Parameters<Watching['setPaused']>[2]) =>
      watching.setPaused(listenerName, isPaused, trx),
  } as const;
  return discordRoutes({
    ...parts,
    hasMarketKey: config.MARKET_API_USER !== null && config.MARKET_API_KEY !== null,
    switchTo: (wanted, actor) => switchService(switching, wanted, actor),
  });
}

/** The bot itself, and its work other than roles. */
function createBot(parts: Parts, calls: NonNullable<Parts['calls']>) {
  const { db, jobs, changes } = parts;
  jobs.add(channelPostJob({ ...parts, sendToChannel: calls.sendToChannel, checkBot: parts.botIdentity.check }));
  return calls.createService({
    ...parts,
    publicUrl: parts.config.PUBLIC_URL,
    members: createGuildMemberStore(db),
    register: createGuildRegister(parts),
    onRolesUnknown: (run) => changes.subscribe(rolesUnknownTopic, run),
  });
}
