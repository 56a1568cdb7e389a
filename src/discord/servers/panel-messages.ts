import { DiscordAPIError, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';

import { panelButtons } from '../commands/buttons.ts';
import { panelText } from '../commands/rules/bot-texts.ts';
import { createRestClient, type RestOptions } from '../gateway/rest-client.ts';
import type { Panel } from './guild-config-store.ts';

/** Edits and finds panels over REST, so that any copy can do it. Throws errors of discord.js: another attempt may succeed. */
export interface PanelMessages {
  /** 'out-of-reach': it was deleted, or the bot no longer has access. */
  edit(panel: Panel, content: string, stop: AbortSignal): Promise<'edited' | 'out-of-reach'>;
  /** 'unknown': the bot may not look. */
  find(panel: Panel, stop: AbortSignal): Promise<'there' | 'deleted' | 'unknown'>;
}

export function createPanelMessages(options: RestOptions): PanelMessages {
  const rest = createRestClient(options);
  return {
    edit: async ({ channelId, messageId }, content, stop) => {
      try {
        // Buttons that are left out stay.
        const body = { content, allowed_mentions: { parse: [] } };
        await rest().patch(Routes.channelMessage(channelId, messageId), { body, signal: stop });
        return 'edited';
      } catch (error) {
        if (error instanceof DiscordAPIError && outOfReach.has(error.code)) return 'out-of-reach';
        throw error;
      }
    },
    find: async ({ channelId, messageId }, stop) => {
      try {
        await rest().get(Routes.channelMessage(channelId, messageId), { signal: stop });
        return 'there';
      } catch (error) {
        if (error instanceof DiscordAPIError && gone.has(error.code)) return 'deleted';
        if (error instanceof DiscordAPIError && outOfReach.has(error.code)) return 'unknown';
        throw error;
      }
    },
  };
}

const gone = new Set<string | number>([RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.UnknownChannel]);

const outOfReach = new Set<string | number>([
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.MissingPermissions,
]);

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

/** A panel that is gone or out of reach counts as deleted. */
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
