import { ButtonStyle, DiscordAPIError, type Guild, RESTJSONErrorCodes } from 'discord.js';

import { button, buttonRow } from '../commands/command.ts';
import { panelText } from '../commands/rules/bot-texts.ts';
import type { Panel } from './guild-config-store.ts';

const outOfReach = new Set<string | number>([
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
]);

/** null: Discord did not let the bot post there. */
export async function postPanel(guild: Guild, channelId: string): Promise<Panel | null> {
  const channel = guild.channels.cache.get(channelId);
  if (channel === undefined || !channel.isTextBased()) return null;
  try {
    const components = [buttonRow(button('verify', 'Verify', ButtonStyle.Primary))];
    const { id } = await channel.send({ content: panelText, components });
    return { panelChannelId: channelId, panelMessageId: id };
  } catch (error) {
    if (error instanceof DiscordAPIError && outOfReach.has(error.code)) return null;
    throw error;
  }
}

/** A panel that is gone or out of reach counts as deleted. */
export async function takePanelAway(
  guild: Guild,
  { panelChannelId, panelMessageId }: { readonly [Key in keyof Panel]: string | null },
): Promise<void> {
  const channel = guild.channels.cache.get(panelChannelId ?? '');
  if (channel?.isTextBased() !== true || panelMessageId === null) return;
  await channel.messages.delete(panelMessageId).catch((error: unknown) => {
    if (!(error instanceof DiscordAPIError)) throw error;
  });
}
