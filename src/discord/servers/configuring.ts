import type { Kysely } from 'kysely';

import type { Database } from '../../db/schema.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import type { Logger } from '../../process/logger.ts';
import { Refused } from '../../shared/failure.ts';
import type { AuditTrail } from '../ports.ts';
import type { Roles } from '../roles/roles.ts';
import { listener, type Watching } from './collection-watching.ts';
import {
  type ConfigFields,
  type HeldConfig,
  type HeldGuild,
  holdGuild,
  type Panel,
  setPanel,
  writeConfig,
} from './guild-config-store.ts';
import { forgetRoles } from './guild-member-store.ts';
import { auditedConfiguration, changedFields } from './rules/known-guild.ts';

type Actor = Parameters<AuditTrail['record']>[0]['actor'];

interface ConfiguringDeps {
  readonly db: Kysely<Database>;
  readonly watching: Pick<Watching, 'watch' | 'unwatch'>;
  readonly audit: AuditTrail;
  readonly roles: Pick<Roles, 'configurationChanged'>;
  /** After another role was chosen: the copy that holds the gateway asks Discord who has it. */
  readonly announceUnseen: () => Promise<void>;
  /** After another name was saved: the verify panel is updated soon, or never if Discord refuses. */
  readonly renewPanel: (guildId: string) => void;
  readonly log: Pick<Logger, 'warn'>;
  /** The collection whose activity is watched; null: the marketplace knows none, or cannot be asked now. */
  readonly trackedIdOf: (nftType: string) => Promise<bigint | null>;
  /** Specification 3: the default NFT settings of a server. */
  readonly defaults: { readonly nftContract: string; readonly nftName: string };
}

/** What an admin saves in the dashboard, its contract canonical; `graceMinutes` left out: as it was. */
interface SavedFields extends Omit<ConfigFields, 'graceMinutes' | 'trackedCollectionId'> {
  readonly graceMinutes?: number | undefined;
}

export interface By {
  readonly actor: Actor;
  /** null: any present version. */
  readonly ifVersion: number | null;
}

interface SetUp {
  readonly guildId: string;
  readonly roleId: string;
  readonly channelId: string;
  /** The one just posted. */
  readonly panel: Panel;
  readonly actor: Actor;
}

/** Every change of a server's configuration, with its log entry and its watch in one transaction. */
export function createConfiguring(deps: ConfiguringDeps) {
  const { db, defaults } = deps;
  return {
    /** `trackedId`: the collection whose activity says who bought and sold; null: the marketplace knows none, or was not to be asked. */
    save: async (
      guildId: string,
      fields: SavedFields,
      trackedId: bigint | null,
      by: By,
    ): Promise<'saved' | 'stale'> => {
      const saved = await transact(db, (trx) => saveIn(trx, deps, guildId, { fields, trackedId, by }));
      if (saved === 'stale') return 'stale';
      if (saved.hasNewName) deps.renewPanel(guildId);
      await followUp(deps, guildId, saved.hasNewRole);
      return 'saved';
    },

    /**
     * /setup: role, channel and panel; contract and name stay, or are the defaults. Answers the previous panel, and the previous role if it
     * was another.
     */
    setUp: async ({ guildId, roleId, channelId, panel, actor }: SetUp) => {
      const isFirst = (await configOf(db, guildId)) === null;
      const trackedCollectionId = isFirst ? await deps.trackedIdOf(defaults.nftContract) : null;
      const done = await transact(db, async (trx) => {
        const { guild, config } = await holdPresent(trx, guildId);
        const next = { ...(config ?? { ...defaults, graceMinutes: 0, trackedCollectionId }), roleId, channelId };
        await apply(trx, deps, { guildId, guild, config, next, actor, action: 'discord-server-set-up' });
        await setPanel(trx, guildId, panel);
        const hasNewRole = config?.roleId !== roleId;
        const roleBefore = config === null || config.roleId === '' || !hasNewRole ? null : config.roleId;
        return { before: config?.panel ?? null, roleBefore, nftName: next.nftName, hasNewRole };
      });
      await followUp(deps, guildId, done.hasNewRole);
      return done;
    },

    nftNameOf: async (guildId: string): Promise<string> => (await configOf(db, guildId))?.nftName ?? defaults.nftName,
  };
}
export type Configuring = ReturnType<typeof createConfiguring>;

const configOf = async (db: Kysely<Database>, guildId: string): Promise<HeldConfig | null> =>
  (await transact(db, (trx) => holdGuild(trx, guildId))).config;

interface Save {
  readonly fields: SavedFields;
  readonly trackedId: bigint | null;
  readonly by: By;
}

async function saveIn(trx: Trx, deps: ConfiguringDeps, guildId: string, { fields, trackedId, by }: Save) {
  const { guild, config } = await holdPresent(trx, guildId);
  if (by.ifVersion !== null && by.ifVersion !== (config?.version ?? 0)) return 'stale';
  const next = nextFields(config, fields, trackedId);
  if (config !== null && isSame(config, next)) return { hasNewRole: false, hasNewName: false };
  const { actor } = by;
  await apply(trx, deps, { guildId, guild, config, next, actor, action: 'discord-server-configured' });
  return {
    hasNewRole: config !== null && config.roleId !== next.roleId,
    hasNewName: config !== null && config.nftName !== next.nftName,
  };
}

/** It is saved: the sweep and the next check of the members make up for a failure here, so it is none. */
async function followUp({ roles, announceUnseen, log }: ConfiguringDeps, guildId: string, hasNewRole: boolean) {
  const warn = (error: unknown): void =>
    log.warn({ err: error, guildId }, 'The work that follows a configuration change failed; sweeps will catch up');
  await roles.configurationChanged(guildId).catch(warn);
  if (hasNewRole) await announceUnseen().catch(warn);
}

async function holdPresent(trx: Trx, guildId: string) {
  const { guild, config } = await holdGuild(trx, guildId);
  if (guild?.isPresent !== true) throw goneGuild();
  return { guild, config };
}

export const goneGuild = (): Refused =>
  new Refused('not-found', 'The bot is not in this server, or not any more. Invite it again, then refresh the list.');

function nextFields(config: HeldConfig | null, fields: SavedFields, trackedId: bigint | null): ConfigFields {
  const isSameContract = config !== null && config.nftContract === fields.nftContract;
  return {
    ...fields,
    graceMinutes: fields.graceMinutes ?? config?.graceMinutes ?? 0,
    trackedCollectionId: (isSameContract ? config.trackedCollectionId : null) ?? trackedId,
  };
}

const isSame = (config: HeldConfig, next: ConfigFields): boolean =>
  changedFields(config, next).length === 0 && config.trackedCollectionId === next.trackedCollectionId;

interface Change {
  readonly guildId: string;
  readonly guild: HeldGuild;
  readonly config: HeldConfig | null;
  readonly next: ConfigFields;
  readonly actor: Actor;
  readonly action: 'discord-server-configured' | 'discord-server-set-up';
}

async function apply(trx: Trx, { watching, audit }: ConfiguringDeps, change: Change): Promise<void> {
  const { guildId, guild, config, next, actor, action } = change;
  // The name of a server member is stored only in the log of changes, as the actor.
  await writeConfig(trx, guildId, next, actor.kind === 'discord' ? 'a member, by /setup' : actor.name);
  if (config !== null && config.roleId !== next.roleId) await forgetRoles(trx, guildId);
  const [was, is] = [config?.trackedCollectionId ?? null, next.trackedCollectionId];
  if (was !== null && was !== is) await watching.unwatch(listener, was, guildId, trx);
  if (is !== null && was !== is) await watching.watch(listener, is, guildId, trx);
  const isSetUp = action === 'discord-server-set-up';
  const subject = { kind: 'discord-server', id: guildId, label: guild.name };
  const logged = auditedConfiguration({ before: config, after: next, isSetUp }, guild);
  await audit.record({ actor, action, subject, ...logged }, trx);
}
