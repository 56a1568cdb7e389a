import type { Kysely } from 'kysely';

import type { SameBot } from '../bot-service/same-bot.ts';
import { describeService, type ServiceStore } from '../bot-service/service-store.ts';
import { switchService } from '../bot-service/switch-service.ts';
import type { ChangeSignal } from '../db/change-signal.ts';
import type { Database } from '../db/schema.ts';
import type { Route } from '../http/route.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Logger } from '../process/logger.ts';
import type { OpenTransaction } from '../shared/open-transaction.ts';
import { discordRoutes } from './admin/http.ts';
import type { DiscordStatusAnswer } from './contract.ts';
import { type DiscordPace, discordPace } from './gateway/discord-pace.ts';
import type { DiscordCalls } from './gateway/load-discord.ts';
import type { AuditTrail, Clock, CollectionWatching, Ownership } from './ports.ts';
import type { Roles } from './roles/roles.ts';
import { type Actor, createConfiguring } from './servers/configuring.ts';
import { createGuildConfigStore } from './servers/guild-config-store.ts';
import { createGuildFigures } from './servers/guild-figures.ts';
import { createGuildMemberStore } from './servers/guild-member-store.ts';
import { createGuildRegister } from './servers/guild-register.ts';
import { createGuildStore } from './servers/guild-store.ts';
import { createPanelCheck, type PanelCheck } from './servers/panel-check.ts';
import { panelRenewal, panelRenewalJob } from './servers/panel-renewal.ts';
import { trackedIdOf } from './servers/save-configuration.ts';
import { collectionWatch, collectionWatchJob } from './servers/watch-collections.ts';
import type { Verification } from './verify/verification.ts';

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
  /** Of the product's database: the gateway's lock has a connection of its own. May carry a password: never logged. */
  readonly url: string;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  readonly watching: CollectionWatching;
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly log: Logger;
  /** Only tests change these. */
  readonly pace?: Partial<DiscordPace>;
  readonly store: ServiceStore;
  readonly sameBot: SameBot;
  readonly roles: Roles;
  readonly links: Verification;
  /** null: there is no token, and so no bot and no panel. */
  readonly calls: DiscordCalls | null;
}

const serviceTopic = 'discord service';
/** Another role was chosen: the copy that holds the gateway asks Discord who has it. */
const unseenTopic = 'discord members unseen';

/** The bot itself, its admin calls, and the configuration of servers. */
export function createBotSide(deps: BotSideDeps) {
  const { jobs, calls } = deps;
  const parts = createParts(deps);
  if (calls === null) return { routes: adminRoutes(deps, parts, null), start: () => {}, stop: async () => {} };
  const { configs, pace } = parts;
  const { longestRetryMs: retryMs, panelsBelievedForMs: believedForMs } = pace;
  const messages = calls.panelMessages;
  const panels = createPanelCheck({ ...deps, configs, messages, believedForMs });
  jobs.add(panelRenewalJob({ ...deps, configs, messages, retryMs }));
  jobs.add(collectionWatchJob({ ...deps, ...parts }));
  const bot = { ...deps, ...parts, publicUrl: deps.settings.publicUrl };
  const service = calls.createService({ ...deps, ...parts, bot, events: { ...deps, ...parts } });
  return {
    routes: adminRoutes(deps, parts, panels),
    /** The bot resumes its state of the last run. */
    start: () => {
      // Collections that the marketplace could not be asked for may be known now.
      jobs.send(collectionWatch, {}).catch(() => {});
      service.start();
    },
    /** Within 2 s; another copy may take over at once. */
    stop: async () => {
      await Promise.all([service.stop(), panels.stop()]);
    },
  };
}

function createParts(deps: BotSideDeps) {
  const { settings, db, changes, jobs, log, calls } = deps;
  const renewPanel = (guildId: string): void => {
    if (calls === null) return;
    jobs
      .send(panelRenewal, { guildId, failures: 0 })
      .catch((error: unknown) => log.warn({ err: error, guildId }, 'The verify panel keeps the previous name'));
  };
  const guilds = createGuildStore(db);
  const configs = createGuildConfigStore(db);
  const announceUnseen = (): Promise<void> => changes.publish(unseenTopic);
  const trackedId = (nftType: string): Promise<bigint | null> => trackedIdOf(deps, nftType);
  const defaults = { nftContract: settings.collectionType, nftName: settings.productName };
  return {
    guilds,
    configs,
    members: createGuildMemberStore(db),
    figures: createGuildFigures(db),
    register: createGuildRegister({ ...deps, guilds, configs }),
    trackedIdOf: trackedId,
    configuring: createConfiguring({ ...deps, configs, announceUnseen, renewPanel, trackedIdOf: trackedId, defaults }),
    renewPanel,
    pace: { ...discordPace, ...deps.pace },
    announce: (): Promise<void> => changes.publish(serviceTopic),
    onNews: (run: () => void): (() => void) => changes.subscribe(serviceTopic, run),
    onUnseen: (run: () => void): (() => void) => changes.subscribe(unseenTopic, run),
  };
}

function adminRoutes(
  deps: BotSideDeps,
  parts: ReturnType<typeof createParts>,
  panels: PanelCheck | null,
): readonly Route[] {
  const { settings, store, calls } = deps;
  const { guilds, pace } = parts;
  const hasToken = calls !== null;
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
    await watching.setPaused(after === 'inactive', opened);
    if (after === 'inactive') await sameBot.allowOther(opened);
    const subject = { kind: 'discord-bot', id: 'discord', label: 'Discord bot' };
    const action = after === 'active' ? 'discord-bot-initialized' : 'discord-bot-shut-down';
    await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted: after } }, opened);
  };
