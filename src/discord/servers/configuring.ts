import type { Kysely } from 'kysely';

import { onceMore } from '../../db/deadlock.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { Refused } from '../../shared/failure.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { ConfigFields, GuildConfigStore, HeldConfig, HeldGuild, Panel } from './guild-config-store.ts';
import type { Database } from '../../db/schema.ts';
import type { Roles } from '../roles/roles.ts';
import { auditedConfiguration, changedFields } from './rules/audited-configuration.ts';
import type { AuditTrail, CollectionWatching } from '../ports.ts';

export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

export interface ConfiguringDeps {
  readonly db: Kysely<Database>;
  readonly configs: GuildConfigStore;
  readonly watching: Pick<CollectionWatching, 'watch' | 'unwatch'>;
  readonly audit: AuditTrail;
  readonly roles: Pick<Roles, 'configurationChanged'>;
  /** After another role was chosen: the copy that holds the gateway asks Discord who has it. */
  readonly announceUnseen: () => Promise<void>;
  /** After another name was saved: the verify panel is updated soon, or never if Discord refuses. */
  readonly renewPanel: (guildId: string) => void;
  readonly log: { warn(details: object, message: string): void };
  /** The collection whose activity is watched; null: the marketplace knows none, or cannot be asked now. */
  readonly trackedIdOf: (nftType: string) => Promise<bigint | null>;
  /** Specification 3: the default NFT settings of a server. */
  readonly defaults: { readonly nftContract: string; readonly nftName: string };
}

/** What an admin saves in the dashboard; `graceMinutes` left out: as it was. */
interface SavedFields {
  readonly roleId: string;
  readonly channelId: string | null;
  /** Canonical. */
  readonly nftContract: string;
  readonly nftName: string;
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

export interface Configuring {
  /** `trackedId`: the collection whose activity says who bought and sold; null: the marketplace knows none, or was not to be asked. */
  save(guildId: string, fields: SavedFields, trackedId: bigint | null, by: By): Promise<'saved' | 'stale'>;
  /**
   * /setup: role, channel and panel; contract and name stay, or are the defaults. Answers the previous panel, and the previous role if it
   * was another.
   */
  setUp(
    setUp: SetUp,
  ): Promise<{ readonly before: Panel | null; readonly roleBefore: string | null; readonly nftName: string }>;
  nftNameOf(guildId: string): Promise<string>;
}

/** Every change of a server's configuration, with its log entry and its watch in one transaction. */
export function createConfiguring(deps: ConfiguringDeps): Configuring {
  const { db, configs, roles, defaults } = deps;
  // It is saved: the sweep and the next check of the members make up for a failure here, so it is none.
  const followUp = async (guildId: string, hasNewRole: boolean): Promise<void> => {
    const steps = [
      () => onceMore(() => roles.configurationChanged(guildId)),
      ...(hasNewRole ? [deps.announceUnseen] : []),
    ];
    for (const step of steps) {
      await step().catch((error: unknown) =>
        deps.log.warn(
          { err: error, guildId },
          'The work that follows a configuration change failed; sweeps will catch up',
        ),
      );
    }
  };
  return {
    save: async (guildId, fields, trackedId, { actor, ifVersion }) => {
      const saved = await inTransaction(db, async (opened) => {
        const { guild, config } = await holdPresent(deps, guildId, opened);
        if (ifVersion !== null && ifVersion !== (config?.version ?? 0)) return 'stale';
        const next = nextFields(config, fields, trackedId);
        if (config !== null && isSame(config, next)) return { hasNewRole: false, hasNewName: false };
        await apply(deps, { guildId, guild, config, next, actor, action: 'discord-server-configured' }, opened);
        return {
          hasNewRole: config !== null && config.roleId !== next.roleId,
          hasNewName: config !== null && config.nftName !== next.nftName,
        };
      });
      if (saved === 'stale') return 'stale';
      if (saved.hasNewName) deps.renewPanel(guildId);
      await followUp(guildId, saved.hasNewRole);
      return 'saved';
    },

    setUp: async ({ guildId, roleId, channelId, panel, actor }) => {
      const known = await inTransaction(db, (opened) => configs.hold(guildId, opened));
      const trackedId = known.config === null ? await deps.trackedIdOf(defaults.nftContract) : null;
      const done = await inTransaction(db, async (opened) => {
        const { guild, config } = await holdPresent(deps, guildId, opened);
        const next = {
          ...(config ?? { ...defaults, graceMinutes: 0, trackedCollectionId: trackedId }),
          roleId,
          channelId,
        };
        await apply(deps, { guildId, guild, config, next, actor, action: 'discord-server-set-up' }, opened);
        await configs.setPanel(guildId, panel, opened);
        const hasNewRole = config?.roleId !== roleId;
        const roleBefore = config === null || config.roleId === '' || !hasNewRole ? null : config.roleId;
        return { before: config?.panel ?? null, roleBefore, nftName: next.nftName, hasNewRole };
      });
      await followUp(guildId, done.hasNewRole);
      return { before: done.before, roleBefore: done.roleBefore, nftName: done.nftName };
    },

    nftNameOf: (guildId) =>
      inTransaction(db, async (opened) => (await configs.hold(guildId, opened)).config?.nftName ?? defaults.nftName),
  };
}

async function holdPresent({ configs }: ConfiguringDeps, guildId: string, opened: OpenTransaction) {
  const { guild, config } = await configs.hold(guildId, opened);
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

async function apply(deps: ConfiguringDeps, change: Change, opened: OpenTransaction): Promise<void> {
  const { configs, watching, audit } = deps;
  const { guildId, guild, config, next, actor, action } = change;
  await configs.write(guildId, next, changedBy(actor), opened);
  if (config !== null && config.roleId !== next.roleId) await configs.forgetRoles(guildId, opened);
  const [was, is] = [config?.trackedCollectionId ?? null, next.trackedCollectionId];
  if (was !== null && was !== is) await watching.unwatch(was, guildId, opened);
  if (is !== null && was !== is) await watching.watch(is, guildId, opened);
  const isSetUp = action === 'discord-server-set-up';
  const subject = { kind: 'discord-server', id: guildId, label: guild.name };
  const logged = auditedConfiguration({ before: config, after: next, isSetUp }, guild);
  await audit.record({ actor, action, subject, ...logged }, opened);
}

/** The name of a server member is stored only in the log of changes, as the actor. */
const changedBy = (actor: Actor): string => (actor.kind === 'discord' ? 'a member, by /setup' : actor.name);
