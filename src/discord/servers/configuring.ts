import type { AuditActor } from '../../audit/contract.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { Refused } from '../../shared/failure.ts';
import type { Roles } from '../roles/roles.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import {
  listenerName,
  type Watching,
  type ConfigFields,
  guildSubject,
  lockGuildConfig,
  type Panel,
  writeConfig,
} from './guild-config-store.ts';
import { forgetRoles, lockMembers } from './guild-member-store.ts';
import { auditedConfiguration, changedFields } from './rules/audited-configuration.ts';
import type { GuildConfig } from './rules/known-guild.ts';

interface ConfiguringDeps extends Pick<RolesDeps, 'db' | 'audit'> {
  readonly watching: Pick<Watching, 'unwatch'>;
  readonly roles: Pick<Roles, 'reconfigure' | 'wake'>;
  /** After another role was chosen: the copy that holds the gateway asks Discord who has it. */
  readonly announceRolesUnknown: () => Promise<void>;
  readonly log: Pick<RolesDeps['log'], 'warn'>;
  /** Specification 3: the default NFT settings of a server. */
  readonly defaults: { readonly nftContract: string; readonly nftName: string };
}

/** What an admin saves, with the contract canonical; `graceMinutes` omitted: unchanged. */
type SavedFields = Omit<GuildConfig, 'version' | 'graceMinutes'> & { readonly graceMinutes?: number | undefined };

export interface By {
  readonly actor: AuditActor;
  /** null: any present version. */
  readonly ifVersion: number | null;
}

interface SetUp {
  readonly guildId: string;
  readonly roleId: string;
  readonly channelId: string;
  readonly panel: Panel;
  readonly actor: AuditActor;
}

/** Changes a server's configuration in one transaction with its log entry, its watch and what follows for members. */
export function createConfiguring(deps: ConfiguringDeps) {
  const { db, defaults } = deps;
  return {
    save: async (guildId: string, fields: SavedFields, by: By): Promise<'saved' | 'stale'> => {
      const saved = await transact(db, async (trx) => {
        const { guild, config } = await lockPresentGuild(trx, guildId);
        if (by.ifVersion !== null && by.ifVersion !== (config?.version ?? 0)) return null;
        const next = nextFields(config, fields);
        if (config !== undefined && changedFields(config, next).length === 0)
          await deps.roles.reconfigure(trx, guildId);
        else await apply(trx, deps, { guildId, guild, config, next, actor: by.actor });
        return { hasNewRole: config?.roleId !== next.roleId };
      });
      if (saved === null) return 'stale';
      await announceSaved(deps, guildId, saved.hasNewRole);
      return 'saved';
    },

    /** /setup: role, channel and panel; contract and name stay, or are the defaults. `before` undefined: it was not configured. */
    setUp: async ({ guildId, roleId, channelId, panel, actor }: SetUp) => {
      const done = await transact(db, async (trx) => {
        const { guild, config } = await lockPresentGuild(trx, guildId);
        const { nftContract, nftName } = config ?? defaults;
        const next = nextFields(config, { nftContract, nftName, roleId, channelId });
        await apply(trx, deps, { guildId, guild, config, next, actor, panel });
        return { before: config, nftName };
      });
      await announceSaved(deps, guildId, done.before?.roleId !== roleId);
      return done;
    },
  };
}
export type Configuring = ReturnType<typeof createConfiguring>;

/** Everything is saved already: due work is found anyway, and the next connect asks who has the role, so failures are only logged. */
async function announceSaved(
  { roles, announceRolesUnknown, log }: ConfiguringDeps,
  guildId: string,
  hasNewRole: boolean,
) {
  roles.wake();
  if (!hasNewRole) return;
  await announceRolesUnknown().catch((error: unknown) =>
    log.warn({ err: error, guildId }, 'A change of configuration could not be announced; the next connect catches up'),
  );
}

async function lockPresentGuild(trx: Trx, guildId: string) {
  const { guild, config } = await lockGuildConfig(trx, guildId);
  if (guild?.leftAt !== null) throw goneGuild();
  return { guild, config };
}

export const goneGuild = (): Refused =>
  new Refused('not-found', 'The bot is not in this server. Invite it again, then refresh the list.');

type LockedConfig = Awaited<ReturnType<typeof lockPresentGuild>>;

/** The sweep that the save makes due starts watching a new collection (roles/sweep.ts). */
const nextFields = (config: LockedConfig['config'], fields: SavedFields): ConfigFields => ({
  ...fields,
  graceMinutes: fields.graceMinutes ?? config?.graceMinutes ?? 0,
  trackedCollectionId: config?.nftContract === fields.nftContract ? config.trackedCollectionId : null,
});

interface Change extends LockedConfig, Pick<SetUp, 'guildId' | 'actor'> {
  readonly next: ConfigFields;
  readonly panel?: Panel;
}

async function apply(trx: Trx, { watching, audit, roles }: ConfiguringDeps, change: Change): Promise<void> {
  const { guildId, guild, config, next, actor, panel } = change;
  // The name of a server member is stored only in the log of changes, as the actor.
  const updatedBy = actor.kind === 'discord' ? 'a member, by /setup' : actor.name;
  await writeConfig(trx, guildId, { ...next, ...panel, updatedBy });
  const was = config?.trackedCollectionId ?? null;
  if (was !== null && was !== next.trackedCollectionId) await watching.unwatch(listenerName, BigInt(was), guildId, trx);
  await lockMembers(trx, guildId);
  if (config !== undefined && config.roleId !== next.roleId) await forgetRoles(trx, guildId);
  await roles.reconfigure(trx, guildId);
  const isSetUp = panel !== undefined;
  const action = isSetUp ? 'discord-server-set-up' : 'discord-server-configured';
  const logged = auditedConfiguration({ before: config ?? null, after: next, isSetUp }, guild);
  await audit.record({ actor, action, subject: guildSubject(guildId, guild.name), ...logged }, trx);
}
