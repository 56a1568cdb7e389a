import { type Kysely, type Selectable, sql } from 'kysely';

import { typedTransaction } from '../../db/connect.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { DescribedGuild, GuildConfig } from './rules/known-guild.ts';
import { forgetRoles } from './guild-member-store.ts';
import type { Database } from '../../db/schema.ts';

/** A configuration being changed: locked by the transaction. */
export interface HeldConfig extends GuildConfig {
  readonly trackedCollectionId: bigint | null;
  readonly panel: Panel | null;
}

/** The message with the button by which members verify. */
export interface Panel {
  readonly channelId: string;
  readonly messageId: string;
}

export interface ConfigFields {
  readonly roleId: string;
  readonly channelId: string | null;
  readonly nftContract: string;
  readonly nftName: string;
  readonly graceMinutes: number;
  readonly trackedCollectionId: bigint | null;
}

/** Throws database errors. */
export interface GuildConfigStore {
  /** The server's row is locked too, so that two first saves do not collide. `isPresent` null: no such server. */
  hold(
    guildId: string,
    opened: OpenTransaction,
  ): Promise<{
    readonly guild: HeldGuild | null;
    readonly config: HeldConfig | null;
  }>;
  /** Everyone is checked again. Answers the version. */
  write(guildId: string, fields: ConfigFields, by: string, opened: OpenTransaction): Promise<number>;
  /** After another role was chosen: it is unknown who has it. */
  forgetRoles(guildId: string, opened: OpenTransaction): Promise<void>;
  setPanel(guildId: string, panel: Panel, opened: OpenTransaction): Promise<void>;
  /** For that panel, unless another one was posted meanwhile. */
  notePanel(guildId: string, messageId: string, isDeleted: boolean): Promise<void>;
  /** The panel of a server the bot is in, and the name it should say; null: there is none. */
  panelOf(guildId: string): Promise<{ readonly panel: Panel; readonly nftName: string } | null>;
  /** The tracked collection of a server that the marketplace has come to know. */
  setTracked(guildId: string, trackedCollectionId: bigint, opened: OpenTransaction): Promise<void>;
  /** Makes every member due for a check: the bot came back, or something they depend on changed. */
  sweepNow(guildId: string, opened: OpenTransaction): Promise<void>;
  /** Servers the bot is in whose collection is not watched yet. */
  unwatched(): Promise<readonly { readonly guildId: string; readonly nftContract: string }[]>;
}

/** The server itself, locked likewise. */
export interface HeldGuild extends Pick<DescribedGuild, 'name' | 'roles' | 'channels'> {
  readonly isPresent: boolean;
}

export function createGuildConfigStore(db: Kysely<Database>): GuildConfigStore {
  return {
    hold: async (guildId, opened) => hold(typedTransaction(opened), guildId),
    write: async (guildId, fields, by, opened) => write(typedTransaction(opened), guildId, fields, by),
    forgetRoles: (guildId, opened) => forgetRoles(typedTransaction(opened), guildId),
    setPanel: async (guildId, { channelId, messageId }, opened) => {
      await typedTransaction(opened)
        .updateTable('discordGuildConfigs')
        .set({ panelChannelId: channelId, panelMessageId: messageId, panelGoneAt: null })
        .where('guildId', '=', guildId)
        .execute();
    },
    notePanel: async (guildId, messageId, isDeleted) => {
      await db
        .updateTable('discordGuildConfigs')
        .set({ panelGoneAt: isDeleted ? sql`clock_timestamp()` : null })
        .where('guildId', '=', guildId)
        .where('panelMessageId', '=', messageId)
        .where('panelGoneAt', isDeleted ? 'is' : 'is not', null)
        .execute();
    },
    panelOf: async (guildId) => {
      const row = await db
        .selectFrom('discordGuildConfigs as c')
        .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
        .selectAll('c')
        .where('c.guildId', '=', guildId)
        .where('g.leftAt', 'is', null)
        .executeTakeFirst();
      const held = row === undefined ? null : toHeld(row);
      return held === null || held.panel === null ? null : { panel: held.panel, nftName: held.nftName };
    },
    setTracked: async (guildId, trackedCollectionId, opened) => {
      await typedTransaction(opened)
        .updateTable('discordGuildConfigs')
        .set({ trackedCollectionId: String(trackedCollectionId) })
        .where('guildId', '=', guildId)
        .execute();
    },
    sweepNow: async (guildId, opened) => {
      await typedTransaction(opened)
        .updateTable('discordGuildConfigs')
        .set({ sweepDueAt: sql`clock_timestamp()` })
        .where('guildId', '=', guildId)
        .execute();
    },
    unwatched: async () => {
      const rows = await db
        .selectFrom('discordGuildConfigs as c')
        .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
        .select(['c.guildId', 'c.nftContract'])
        .where('g.leftAt', 'is', null)
        .where('c.trackedCollectionId', 'is', null)
        .orderBy('c.guildId')
        .execute();
      return rows;
    },
  };
}

async function hold(transaction: Kysely<Database>, guildId: string) {
  // Not `for update`: callers that queue a role change only check that the server exists, and must not wait.
  const guild = await transaction
    .selectFrom('discordGuilds')
    .select(['name', 'leftAt', 'roles', 'channels'])
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const row = await transaction
    .selectFrom('discordGuildConfigs')
    .selectAll()
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return {
    guild: guild === undefined ? null : toHeldGuild(guild),
    config: row === undefined ? null : toHeld(row),
  };
}

const toHeldGuild = ({
  leftAt,
  ...row
}: Pick<Selectable<Database['discordGuilds']>, 'name' | 'leftAt' | 'roles' | 'channels'>) =>
  ({ ...row, isPresent: leftAt === null }) as HeldGuild;

const toHeld = (row: Selectable<Database['discordGuildConfigs']>): HeldConfig => ({
  ...row,
  trackedCollectionId: row.trackedCollectionId === null ? null : BigInt(row.trackedCollectionId),
  panel:
    row.panelChannelId === null || row.panelMessageId === null
      ? null
      : { channelId: row.panelChannelId, messageId: row.panelMessageId },
});

async function write(
  transaction: Kysely<Database>,
  guildId: string,
  { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId: trackedId }: ConfigFields,
  by: string,
): Promise<number> {
  const trackedCollectionId = trackedId === null ? null : String(trackedId);
  const values = { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId, updatedBy: by };
  const { version } = await transaction
    .insertInto('discordGuildConfigs')
    .values({ guildId: guildId, ...values })
    .onConflict((conflict) =>
      conflict.column('guildId').doUpdateSet({
        ...values,
        version: sql<number>`discord_guild_configs.version + 1`,
        updatedAt: sql`clock_timestamp()`,
        sweepDueAt: sql`clock_timestamp()`,
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
