import { DiscordAPIError, type Guild, RESTJSONErrorCodes } from 'discord.js';

import type { Panel } from '../adapters/guild-config-store.ts';
import { panelText } from '../core/bot-texts.ts';
import { panelButtons } from './buttons.ts';

/** null: Discord did not let the bot post there. */
export async function postPanel(guild: Guild, channelId: string, nftName: string): Promise<Panel | null> {
  const channel = guild.channels.cache.get(channelId);
  if (channel === undefined || !channel.isTextBased()) return null;
  try {
    const { id } = await channel.send({ content: panelText(nftName), components: panelButtons() });
    return { channelId, messageId: id };
  } catch (error) {
    if (error instanceof DiscordAPIError && forbidden.has(error.code)) return null;
    throw error;
  }
}

/** A panel that is gone already, or out of reach, is gone enough. */
export async function takePanelAway(guild: Guild, { channelId, messageId }: Panel): Promise<void> {
  const channel = guild.channels.cache.get(channelId);
  if (channel?.isTextBased() !== true) return;
  await channel.messages.delete(messageId).catch((error: unknown) => {
    if (!(error instanceof DiscordAPIError)) throw error;
  });
}

const forbidden = new Set<string | number>([
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.UnknownChannel,
]);
