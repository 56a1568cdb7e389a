import type { AuditActor } from '../../audit/contract.ts';
import { transact, type Trx } from '../../db/transaction.ts';
import { Refused } from '../../shared/failure.ts';
import { cancelRoleChanges, resumeRoleChanges } from '../roles/member-roles.ts';
import { closeBatch, lockGuild, lockWaitingBatch, moveMembers } from '../roles/removal-store.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import type { Findings } from '../roles/rules/findings.ts';
import {
  listenerName,
  type Watching,
  type ConfigFields,
  guildSubject,
  lockGuildConfig,
  type Panel,
  sweepNow,
  writeConfig,
} from './guild-config-store.ts';
import { forgetRoles, lockMembers } from './guild-member-store.ts';
import { auditedConfiguration, changedFields, type GuildConfig } from './rules/known-guild.ts';

interface ConfiguringDeps extends Pick<RolesDeps, 'db' | 'audit'> {
  readonly watching: Pick<Watching, 'unwatch'>;
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
        if (config !== undefined && changedFields(config, next).length === 0) await reconfigure(trx, guildId);
        else await apply(trx, deps, { guildId, guild, config, next, actor: by.actor });
        return { hasNewRole: config?.roleId !== next.roleId };
      });
      if (saved === null) return 'stale';
      if (saved.hasNewRole) await announceNewRole(deps, guildId);
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
      if (done.before?.roleId !== roleId) await announceNewRole(deps, guildId);
      return done;
    },
  };
}
export type Configuring = ReturnType<typeof createConfiguring>;

/** The role is saved already, and the next connect asks who has it, so a failure is only logged. */
async function announceNewRole({ announceRolesUnknown, log }: ConfiguringDeps, guildId: string): Promise<void> {
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

async function apply(trx: Trx, { watching, audit }: ConfiguringDeps, change: Change): Promise<void> {
  const { guildId, guild, config, next, actor, panel } = change;
  // The name of a server member is stored only in the log of changes, as the actor.
  const updatedBy = actor.kind === 'discord' ? 'a member, by /setup' : actor.name;
  await writeConfig(trx, guildId, { ...next, ...panel, updatedBy });
  const was = config?.trackedCollectionId ?? null;
  if (was !== null && was !== next.trackedCollectionId) await watching.unwatch(listenerName, BigInt(was), guildId, trx);
  await lockMembers(trx, guildId);
  if (config !== undefined && config.roleId !== next.roleId) await forgetRoles(trx, guildId);
  await reconfigure(trx, guildId);
  const isSetUp = panel !== undefined;
  const action = isSetUp ? 'discord-server-set-up' : 'discord-server-configured';
  const logged = auditedConfiguration({ before: config ?? null, after: next, isSetUp }, guild);
  await audit.record({ actor, action, subject: guildSubject(guildId, guild.name), ...logged }, trx);
}

/**
 * For a changed contract, role or grace, or a server that is back, in the transaction that stores it, which locks the server: everyone is
 * checked now. If the collection changed, earlier findings remove no role: those checks, and a mass removal that waits because of them, are
 * void.
 */
export async function reconfigure(trx: Trx, guildId: string): Promise<void> {
  const guild = await lockGuild(trx, guildId, 'wait');
  if (guild === null) return;
  await resumeRoleChanges(trx, guildId);
  await sweepNow(trx, guildId);
  await lockMembers(trx, guildId);
  await resumeReleased(trx, guildId, guild.roleId);
  const doubted = await trx
    .selectFrom('discordMembers')
    .where('guildId', '=', guildId)
    .select(['userId', 'explanation'])
    .where('roleState', 'in', ['doubt', 'grace', 'braked', 'kept'])
    .execute();
  const userIds = doubted
    .filter(({ explanation }) => (explanation as Findings | null)?.nftType !== guild.nftContract)
    .map(({ userId }) => userId);
  if (userIds.length === 0) return;
  await moveMembers(trx, guildId, userIds, { roleState: 'holder', checkDueAt: null });
  await cancelRoleChanges(trx, guildId, userIds);
  const waiting = await lockWaitingBatch(trx, guildId);
  if (waiting !== null) await closeBatch(trx, waiting.id, 'obsolete');
}

/**
 * Another role may have been chosen, and then this one again. Members released in between to whom the bot gave this role, and from whom
 * it did not remove it, are treated like anyone who has it.
 */
async function resumeReleased(trx: Trx, guildId: string, roleId: string): Promise<void> {
  if (roleId === '') return;
  const released = await trx
    .selectFrom('discordMembers as m')
    .innerJoin('discordMemberRoles as r', (join) =>
      join.onRef('r.guildId', '=', 'm.guildId').onRef('r.userId', '=', 'm.userId'),
    )
    .select('m.userId')
    .where((eb) => eb.and({ 'm.guildId': guildId, 'm.roleState': 'none', 'r.roleId': roleId }))
    .where('m.hasRole', 'is distinct from', false)
    .where('r.givenAt', 'is not', null)
    .execute();
  const userIds = released.map(({ userId }) => userId);
  await moveMembers(trx, guildId, userIds, { roleState: 'holder' });
}
