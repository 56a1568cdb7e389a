import { type Kysely, sql } from 'kysely';

import { transactionOf } from '../../db/open-transaction.ts';
import type { OpenTransaction } from '../../shared/open-transaction.ts';
import type { DescribedGuild, GuildConfig } from '../core/known-guild.ts';
import { forgetRoles } from './guild-member-store.ts';
import type { DiscordTables } from './tables.ts';

/** A configuration as it is changed: held by the transaction. */
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

/** Throws what the database throws. */
export interface GuildConfigStore {
  /** The server's row is locked with it, so that two first saves do not meet. `isPresent` null: no such server. */
  hold(
    guildId: string,
    opened: OpenTransaction,
  ): Promise<{
    readonly guild: HeldGuild | null;
    readonly config: HeldConfig | null;
  }>;
  /** Everybody is looked at anew. Answers the version. */
  write(guildId: string, fields: ConfigFields, by: string, opened: OpenTransaction): Promise<number>;
  /** After another role was chosen: who has it is not known. */
  forgetRoles(guildId: string, opened: OpenTransaction): Promise<void>;
  setPanel(guildId: string, panel: Panel, opened: OpenTransaction): Promise<void>;
  /** Of that panel, unless another one was posted meanwhile. */
  notePanel(guildId: string, messageId: string, isDeleted: boolean): Promise<void>;
  /** The panel of a server the bot is in, and the name it should say; null: there is none. */
  panelOf(guildId: string): Promise<{ readonly panel: Panel; readonly nftName: string } | null>;
  /** The tracked collection of a server that the marketplace has come to know. */
  setTracked(guildId: string, trackedCollectionId: bigint, opened: OpenTransaction): Promise<void>;
  /** Every member is due for a look: the bot came back, or something changed that they depend on. */
  sweepNow(guildId: string, opened: OpenTransaction): Promise<void>;
  /** Servers the bot is in whose collection nobody watches yet. */
  unwatched(): Promise<readonly { readonly guildId: string; readonly nftContract: string }[]>;
}

/** The server itself, held likewise. */
export interface HeldGuild extends Pick<DescribedGuild, 'name' | 'roles' | 'channels'> {
  readonly isPresent: boolean;
}

export function createGuildConfigStore(db: Kysely<DiscordTables>): GuildConfigStore {
  return {
    hold: async (guildId, opened) => hold(transactionOf<DiscordTables>(opened), guildId),
    write: async (guildId, fields, by, opened) => write(transactionOf<DiscordTables>(opened), guildId, fields, by),
    forgetRoles: (guildId, opened) => forgetRoles(transactionOf<DiscordTables>(opened), guildId),
    setPanel: async (guildId, { channelId, messageId }, opened) => {
      await transactionOf<DiscordTables>(opened)
        .updateTable('discord_guild_configs')
        .set({ panel_channel_id: channelId, panel_message_id: messageId, panel_gone_at: null })
        .where('guild_id', '=', guildId)
        .execute();
    },
    notePanel: async (guildId, messageId, isDeleted) => {
      await db
        .updateTable('discord_guild_configs')
        .set({ panel_gone_at: isDeleted ? sql`clock_timestamp()` : null })
        .where('guild_id', '=', guildId)
        .where('panel_message_id', '=', messageId)
        .where('panel_gone_at', isDeleted ? 'is' : 'is not', null)
        .execute();
    },
    panelOf: async (guildId) => {
      const row = await db
        .selectFrom('discord_guild_configs as c')
        .innerJoin('discord_guilds as g', 'g.guild_id', 'c.guild_id')
        .selectAll('c')
        .where('c.guild_id', '=', guildId)
        .where('g.left_at', 'is', null)
        .executeTakeFirst();
      const held = row === undefined ? null : toHeld(row);
      return held === null || held.panel === null ? null : { panel: held.panel, nftName: held.nftName };
    },
    setTracked: async (guildId, trackedCollectionId, opened) => {
      await transactionOf<DiscordTables>(opened)
        .updateTable('discord_guild_configs')
        .set({ tracked_collection_id: trackedCollectionId })
        .where('guild_id', '=', guildId)
        .execute();
    },
    sweepNow: async (guildId, opened) => {
      await transactionOf<DiscordTables>(opened)
        .updateTable('discord_guild_configs')
        .set({ sweep_due_at: sql`clock_timestamp()` })
        .where('guild_id', '=', guildId)
        .execute();
    },
    unwatched: async () => {
      const rows = await db
        .selectFrom('discord_guild_configs as c')
        .innerJoin('discord_guilds as g', 'g.guild_id', 'c.guild_id')
        .select(['c.guild_id', 'c.nft_contract'])
        .where('g.left_at', 'is', null)
        .where('c.tracked_collection_id', 'is', null)
        .orderBy('c.guild_id')
        .execute();
      return rows.map((row) => ({ guildId: row.guild_id, nftContract: row.nft_contract }));
    },
  };
}

async function hold(transaction: Kysely<DiscordTables>, guildId: string) {
  // Not for update: whoever queues a role change only looks whether the server is there, and is not kept waiting.
  const guild = await transaction
    .selectFrom('discord_guilds')
    .select(['name', 'left_at', 'roles', 'channels'])
    .where('guild_id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const row = await transaction
    .selectFrom('discord_guild_configs')
    .selectAll()
    .where('guild_id', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return {
    guild: guild === undefined ? null : { ...guild, isPresent: guild.left_at === null },
    config: row === undefined ? null : toHeld(row),
  };
}

interface ConfigRow {
  readonly role_id: string;
  readonly channel_id: string | null;
  readonly nft_contract: string;
  readonly nft_name: string;
  readonly grace_minutes: number;
  readonly version: number;
  readonly tracked_collection_id: string | null;
  readonly panel_channel_id: string | null;
  readonly panel_message_id: string | null;
}

const toHeld = (row: ConfigRow): HeldConfig => ({
  roleId: row.role_id,
  channelId: row.channel_id,
  nftContract: row.nft_contract,
  nftName: row.nft_name,
  graceMinutes: row.grace_minutes,
  version: row.version,
  trackedCollectionId: row.tracked_collection_id === null ? null : BigInt(row.tracked_collection_id),
  panel:
    row.panel_channel_id === null || row.panel_message_id === null
      ? null
      : { channelId: row.panel_channel_id, messageId: row.panel_message_id },
});

async function write(
  transaction: Kysely<DiscordTables>,
  guildId: string,
  { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId }: ConfigFields,
  by: string,
): Promise<number> {
  const values = {
    role_id: roleId,
    channel_id: channelId,
    nft_contract: nftContract,
    nft_name: nftName,
    grace_minutes: graceMinutes,
    tracked_collection_id: trackedCollectionId,
    updated_by: by,
  };
  const { version } = await transaction
    .insertInto('discord_guild_configs')
    .values({ guild_id: guildId, ...values })
    .onConflict((conflict) =>
      conflict.column('guild_id').doUpdateSet({
        ...values,
        version: sql<number>`discord_guild_configs.version + 1`,
        updated_at: sql`clock_timestamp()`,
        sweep_due_at: sql`clock_timestamp()`,
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
