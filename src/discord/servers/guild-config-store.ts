import type { Kysely, Selectable, Updateable } from 'kysely';

import { databaseNow } from '../../db/expressions.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import type { DescribedGuild, GuildConfig } from './rules/known-guild.ts';

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

export type ConfigFields = Omit<HeldConfig, 'version' | 'panel'>;

/** The server itself, locked likewise. */
export interface HeldGuild extends Pick<DescribedGuild, 'name' | 'roles' | 'channels'> {
  readonly isPresent: boolean;
}

/** Locks the server's row too, so that two first saves do not collide. `guild` null: the bot has never been there. */
export async function holdGuild(trx: Trx, guildId: string) {
  // Not `for update`: callers that queue a role change only check that the server exists, and must not wait.
  const guild = await trx
    .selectFrom('discordGuilds')
    .select(['name', 'leftAt', 'roles', 'channels'])
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const row = await trx
    .selectFrom('discordGuildConfigs')
    .selectAll()
    .where('guildId', '=', guildId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return {
    guild: guild === undefined ? null : ({ ...guild, isPresent: guild.leftAt === null } as HeldGuild),
    config: row === undefined ? null : toHeld(row),
  };
}

const toHeld = (row: Selectable<Database['discordGuildConfigs']>): HeldConfig => ({
  ...row,
  trackedCollectionId: row.trackedCollectionId === null ? null : BigInt(row.trackedCollectionId),
  panel:
    row.panelChannelId === null || row.panelMessageId === null
      ? null
      : { channelId: row.panelChannelId, messageId: row.panelMessageId },
});

/** Everyone is checked again. */
export async function writeConfig(trx: Trx, guildId: string, fields: ConfigFields, updatedBy: string): Promise<void> {
  const { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId: trackedId } = fields;
  const trackedCollectionId = trackedId === null ? null : String(trackedId);
  const values = { roleId, channelId, nftContract, nftName, graceMinutes, trackedCollectionId, updatedBy };
  await trx
    .insertInto('discordGuildConfigs')
    .values({ guildId, ...values })
    .onConflict((conflict) =>
      conflict.column('guildId').doUpdateSet((eb) => ({
        ...values,
        version: eb('discordGuildConfigs.version', '+', 1),
        updatedAt: databaseNow,
        sweepDueAt: databaseNow,
      })),
    )
    .execute();
}

/** Changes that members need not be checked for. */
async function update(trx: Trx, guildId: string, values: Updateable<Database['discordGuildConfigs']>): Promise<void> {
  await trx.updateTable('discordGuildConfigs').set(values).where('guildId', '=', guildId).execute();
}

export const setPanel = (trx: Trx, guildId: string, { channelId, messageId }: Panel): Promise<void> =>
  update(trx, guildId, { panelChannelId: channelId, panelMessageId: messageId, panelGoneAt: null });

/** The tracked collection of a server that the marketplace has come to know. */
export const setTracked = (trx: Trx, guildId: string, trackedCollectionId: bigint): Promise<void> =>
  update(trx, guildId, { trackedCollectionId: String(trackedCollectionId) });

/** Makes every member due for a check: the bot came back, or something they depend on changed. */
export async function sweepNow(trx: Trx, guildId: string): Promise<void> {
  await trx
    .updateTable('discordGuildConfigs')
    .set({ sweepDueAt: databaseNow })
    .where('guildId', '=', guildId)
    .execute();
}

/** For that panel, unless another one was posted meanwhile. */
export async function notePanel(db: Kysely<Database>, guildId: string, messageId: string, isDeleted: boolean) {
  await db
    .updateTable('discordGuildConfigs')
    .set({ panelGoneAt: isDeleted ? databaseNow : null })
    .where('guildId', '=', guildId)
    .where('panelMessageId', '=', messageId)
    .where('panelGoneAt', isDeleted ? 'is' : 'is not', null)
    .execute();
}

const configsOfPresent = (db: Kysely<Database>) =>
  db
    .selectFrom('discordGuildConfigs as c')
    .innerJoin('discordGuilds as g', 'g.guildId', 'c.guildId')
    .where('g.leftAt', 'is', null);

/** The panel of a server the bot is in, and the name it should say; null: there is none. */
export async function panelOf(db: Kysely<Database>, guildId: string) {
  const row = await configsOfPresent(db).selectAll('c').where('c.guildId', '=', guildId).executeTakeFirst();
  const held = row === undefined ? null : toHeld(row);
  return held === null || held.panel === null ? null : { panel: held.panel, nftName: held.nftName };
}

/** Servers the bot is in whose collection is not watched yet. */
export const unwatchedGuilds = (db: Kysely<Database>) =>
  configsOfPresent(db)
    .select(['c.guildId', 'c.nftContract'])
    .where('c.trackedCollectionId', 'is', null)
    .orderBy('c.guildId')
    .execute();
