import type { Kysely } from 'kysely';

import { describeService } from '../bot-service/service-store.ts';
import type { SameBot } from '../bot-service/same-bot.ts';
import type { ServiceStore } from '../bot-service/service-store.ts';
import { switchService } from '../bot-service/switch-service.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Logger } from '../process/logger.ts';
import type { Route } from '../http/route.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';
import { createGuildMemberStore } from './servers/guild-member-store.ts';
import { createGuildStore } from './servers/guild-store.ts';
import type { Database } from '../db/schema.ts';
import type { Roles } from './roles/roles.ts';
import type { Verification } from './verify/verification.ts';
import { createGuildRegister } from './servers/guild-register.ts';
import { type Actor, createConfiguring } from './servers/configuring.ts';
import type { DiscordStatusAnswer } from './contract.ts';
import { discordRoutes } from './admin/http.ts';
import type { AuditTrail, Clock, Ownership } from './ports.ts';
import { type DiscordPace, discordPace } from './gateway/discord-pace.ts';
import type { createDiscordService } from './gateway/discord-service.ts';
import {
  collectionWatch,
  collectionWatchJob,
  listener,
  trackedIdOf,
  type Watching,
} from './servers/collection-watching.ts';
import type { Panels } from './servers/panels.ts';

export interface BotSideDeps {
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
  };
  readonly db: Kysely<Database>;
  /** Of the product's database: the gateway's lock has a connection of its own. */
  readonly url: string;
  readonly store: ServiceStore;
  readonly sameBot: SameBot;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send'>;
  readonly ownership: Pick<Ownership, 'readNftType'>;
  readonly watching: Watching;
  readonly roles: Roles;
  readonly links: Pick<Verification, 'makeLink'>;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Only tests change these. */
  readonly pace?: Partial<DiscordPace>;
}

export interface BotSide {
  readonly routes: readonly Route[];
  lastError(): Promise<string | null>;
  /** The bot resumes its state of the last run. */
  start(): void;
  /** Within 2 s; another copy may take over at once. */
  stop(): Promise<void>;
}

const serviceTopic = 'discord service';
/** Another role was chosen: the copy that holds the gateway asks Discord who has it. */
const unseenTopic = 'discord members unseen';

/**
 * The bot itself, its admin calls, and the configuration of servers. discord.js takes 50 MB and a third of a second, so it is only loaded
 * with a token.
 */
export async function createBotSide(deps: BotSideDeps): Promise<BotSide> {
  const { settings } = deps;
  const panels = await loadPanels(deps);
  const parts = createParts(deps, panels);
  if (settings.botToken !== null) deps.jobs.add(collectionWatchJob(deps));
  const service = settings.botToken === null ? null : await loadService(deps, parts, settings.botToken);
  return {
    routes: adminRoutes(deps, parts, panels),
    lastError: async () => (await deps.store.read()).lastError?.message ?? null,
    start: () => {
      if (service === null) return;
      // Collections that the marketplace could not be asked for may be known now.
      deps.jobs.send(collectionWatch, {}).catch(() => {});
      service.start();
    },
    stop: async () => {
      await Promise.all([service?.stop(), panels?.stop()]);
    },
  };
}

/** null: without a token there is no panel. */
async function loadPanels({ settings, pace, ...deps }: BotSideDeps): Promise<Panels | null> {
  const { botToken: token, apiUrl } = settings;
  if (token === null) return null;
  const { createPanels } = await import('./servers/panels.ts');
  return createPanels({ ...deps, settings: { token, apiUrl }, pace: { ...discordPace, ...pace } });
}

function createParts(deps: BotSideDeps, panels: Panels | null) {
  const { settings, db, changes } = deps;
  const renewPanel = (guildId: string): void => void panels?.renew(guildId);
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
type Parts = ReturnType<typeof createParts>;

const loadService = async (
  deps: BotSideDeps,
  parts: Parts,
  botToken: string,
): Promise<ReturnType<typeof createDiscordService>> => {
  const module = await import('./gateway/discord-service.ts');
  const { apiUrl, publicUrl } = deps.settings;
  return module.createDiscordService({
    ...deps,
    ...parts,
    settings: { botToken, apiUrl },
    bot: { ...deps, ...parts, publicUrl },
    events: { ...deps, ...parts },
  });
};

function adminRoutes(deps: BotSideDeps, parts: Parts, panels: Panels | null): readonly Route[] {
  const { settings, store } = deps;
  const { guilds, pace } = parts;
  const hasToken = settings.botToken !== null;
  const status = async (): Promise<DiscordStatusAnswer['data']> => {
    const [row, guildCount] = await Promise.all([store.read(), guilds.countPresent()]);
    const service = describeService(row, hasToken);
    return { ...service, online: service.state === 'active', id: hasToken ? row.botId : null, guildCount };
  };
  const switching = { ...deps, ...parts, hasToken, settleMs: pace.settleMs };
  return discordRoutes({
    ...deps,
    ...parts,
    installation: settings,
    status,
    lookAtPanels: async (known) => (await panels?.look(known)) ?? false,
    switchTo: (wanted, actor) => switchService({ ...switching, onSwitched: auditedSwitch(deps, actor) }, wanted),
  });
}

/** While the bot is off nothing is read for it; the log of changes records who switched it. */
const auditedSwitch =
  ({ watching, audit, sameBot }: BotSideDeps, actor: Actor) =>
  async (before: 'active' | 'inactive', after: 'active' | 'inactive', opened: OpenTransaction): Promise<void> => {
    await watching.setPaused(listener, after === 'inactive', opened);
    if (after === 'inactive') await sameBot.allowOther(opened);
    const subject = { kind: 'discord-bot', id: 'discord', label: 'Discord bot' };
    const action = after === 'active' ? 'discord-bot-initialized' : 'discord-bot-shut-down';
    await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted: after } }, opened);
  };
