import { DiscordAPIError, RESTJSONErrorCodes, Routes } from 'discord.js';

import type { Panel } from './guild-config-store.ts';
import { createRestClient, type RestOptions } from './rest-client.ts';

/** Changes a panel's text, and looks whether it is there, over REST, so that any copy can do it. Throws what discord.js throws: another attempt may succeed. */
export interface PanelMessages {
  /** 'out-of-reach': it was deleted, or the bot may not go there any more; however often one asks. */
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
